"""Clauses J1 to J7: text to one JSON value, or one reason with its offset.

Every bad row is one defect put into a valid text; the whole reason and its offset are asserted. The table is
read again where the C accelerator of `json` is missing, and under other digit limits of the interpreter.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grounded_claims.strict_json import MAX_UNITS, Malformed, Number, Value, parse, units

SOURCES = Path(__file__).parent.parent / "src"
EMOJI = "\U0001f600"

TOO_LONG = "the text is longer than 8192 UTF-16 code units"
SURROGATE = "a surrogate code point stands in the text"
UNPAIRED = "an escape writes an unpaired surrogate"
TOO_DEEP = "brackets nest deeper than 16"
ENDS = "the text ends before the JSON value does"
FOLLOWS = "something follows the JSON value"
COMMA = "a comma stands before the closing bracket"
SEPARATOR = "stands where a comma or a closing bracket belongs"

GOOD: dict[str, tuple[str, Value]] = {
    "null": ("null", None),
    "true": ("true", True),
    "false": ("false", False),
    "empty string": ('""', ""),
    "the four kinds of white space around a value": (" \t\r\n1 \t\r\n", Number("1")),
    "the four kinds of white space between tokens": (
        '{ "a"\t:\r1\n,"b" : [ 1 , 2 ] }',
        {"a": Number("1"), "b": [Number("1"), Number("2")]},
    ),
    "every short escape": (r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
    "an escape of four digits in either case": (r'"\u00e9\u00E9\u0041"', "ééA"),
    "an escaped NUL": (r'"\u0000"', "\0"),
    "a pair of escapes is one character": (r'"\ud83d\ude00"', EMOJI),
    "a pair of escapes in upper case": (r'"\uD83D\uDE00"', EMOJI),
    "a backslash that is itself escaped, then u": (r'"\\ud800"', r"\ud800"),
    "the characters next to the surrogates": (r'"\ud7ff\ue000"', "\ud7ff\ue000"),
    "DEL and the C1 controls stand as they are": ('"\x7f\x80\x9f"', "\x7f\x80\x9f"),
    "the line separators stand as they are": ('"\u2028\u2029\u0085"', "\u2028\u2029\u0085"),
    "a byte order mark within a string": ('"\ufeff"', "\ufeff"),
    "names that differ in case": ('{"a":1,"A":2}', {"a": Number("1"), "A": Number("2")}),
    "composed and decomposed names are two": (
        '{"é":1,"e\u0301":2}',
        {"é": Number("1"), "e\u0301": Number("2")},
    ),
    "one name in two objects": ('[{"a":1},{"a":1}]', [{"a": Number("1")}, {"a": Number("1")}]),
    "an empty name": ('{"":1}', {"": Number("1")}),
    "a number is kept as it is written": (
        "[-0,1.50,1e999,-1E-999]",
        [
            Number("-0"),
            Number("1.50"),
            Number("1e999"),
            Number("-1E-999"),
        ],
    ),
    "a number of 5000 digits": ("9" * 5000, Number("9" * 5000)),
    "sixteen brackets deep": ("[" * 16 + "]" * 16, [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]),
    "many brackets side by side": ("[" + "[]," * 20 + "[]]", [[]] * 21),
    "brackets within a string": ('"' + "[{" * 40 + '"', "[{" * 40),
    "brackets after an escaped quotation mark": ('"' + r"\"[" * 40 + '"', '"[' * 40),
}

NO_DIGITS = r"'\\u' is not an escape of JSON: four hexadecimal digits belong after it"
BAD: dict[str, tuple[str, str, int]] = {
    # J2
    "J2 a high surrogate in a string": ('"\ud800"', SURROGATE, 1),
    "J2 a low surrogate outside a string": ("1\udfff", SURROGATE, 1),
    "J2 a pair of surrogate code points": ('"\ud83d\ude00"', SURROGATE, 1),
    # J3: exactly one value
    "J3 nothing": ("", ENDS, 0),
    "J3 white space alone": (" \n", ENDS, 2),
    "J3 an object that ends early": ('{"a":1', ENDS, 6),
    "J3 an array that ends early": ("[1,", ENDS, 3),
    "J3 a second value": ("{}{}", FOLLOWS, 2),
    "J3 a second value on a new line": ('{"a":1}\n{"a":2}', FOLLOWS, 8),
    "J3 words after the value": ("{} done", FOLLOWS, 3),
    "J3 NUL after the value": ("{}\0", FOLLOWS, 2),
    "J3 a byte order mark": ("\ufeff{}", r"'\ufeff' stands where a value belongs", 0),
    "J3 a byte order mark at the end": ("{}\ufeff", FOLLOWS, 2),
    "J3 a no-break space before": ("\xa0{}", r"'\xa0' stands where a value belongs", 0),
    "J3 a no-break space after": ("{}\xa0", FOLLOWS, 2),
    "J3 a form feed before": ("\f{}", r"'\x0c' stands where a value belongs", 0),
    "J3 a form feed after": ("{}\f", FOLLOWS, 2),
    "J3 a vertical tab between": ("[1,\v2]", r"'\x0b' stands where a value belongs", 3),
    "J3 a line separator between": ("[1\u2028,2]", rf"'\u2028' {SEPARATOR}", 2),
    "J3 an ideographic space": ("\u3000{}", r"'\u3000' stands where a value belongs", 0),
    "J3 a Markdown fence": ("```json\n{}\n```", "'`' stands where a value belongs", 0),
    "J3 a line comment": ("// note\n{}", "'/' stands where a value belongs", 0),
    "J3 a comment within": (
        "{/* note */}",
        "'/' stands where a member name in double quotation marks belongs",
        1,
    ),
    "J3 a comma before the closing brace": ('{"a":1,}', COMMA, 6),
    "J3 a comma before the closing bracket": ("[1 , ]", COMMA, 3),
    "J3 a comma alone in an array": ("[,]", COMMA, 1),
    "J3 a comma alone in an object": ("{,}", COMMA, 1),
    "J3 two commas": ("[1, ,2]", "',' stands where a value belongs", 4),
    "J3 a comma first": ("[,1]", "',' stands where a value belongs", 1),
    "J3 no comma between members": (
        '{"a":1 "b":2}',
        f"'\"' {SEPARATOR}",
        7,
    ),
    "J3 no comma between elements": ("[1 2]", f"'2' {SEPARATOR}", 3),
    "J3 no colon": ('{"a" 1}', "'1' stands where a colon belongs", 5),
    "J3 no value": ('{"a":}', "'}' stands where a value belongs", 5),
    "J3 single quotation marks": (
        "{'a':1}",
        '"\'" stands where a member name in double quotation marks belongs',
        1,
    ),
    "J3 curly quotation marks": ("[“a”]", "'“' stands where a value belongs", 1),
    "J3 a name without quotation marks": (
        "{a:1}",
        "'a' stands where a member name in double quotation marks belongs",
        1,
    ),
    "J3 a number as a name": (
        "{1:1}",
        "'1' stands where a member name in double quotation marks belongs",
        1,
    ),
    "J3 the wrong closing bracket": ("[1}", f"'}}' {SEPARATOR}", 2),
    "J3 a string that is never closed": ('["a]', "a string is opened and never closed", 1),
    "J3 a string that ends within an escape's line": (r'["a\u00e9', "a string is opened and never closed", 1),
    "J3 NaN": ("NaN", "NaN is not JSON", 0),
    "J3 Infinity": ("[1,Infinity]", "Infinity is not JSON", 3),
    "J3 -Infinity": ('{"a":-Infinity}', "-Infinity is not JSON", 5),
    "J3 NaN after the word in a string": ('["NaN",NaN]', "NaN is not JSON", 7),
    "J3 True": ("True", "'T' stands where a value belongs", 0),
    "J3 half a word": ("[tru]", "'t' stands where a value belongs", 1),
    "J3 a leading zero": ("[01]", f"'1' {SEPARATOR}", 2),
    "J3 a plus sign": ("+1", "'+' stands where a value belongs", 0),
    "J3 a point without digits": ("1.", FOLLOWS, 1),
    "J3 a point first": (".5", "'.' stands where a value belongs", 0),
    "J3 an exponent without digits": ("1e+", FOLLOWS, 1),
    "J3 a hexadecimal number": ("0x10", FOLLOWS, 1),
    "J3 an underscore in a number": ("1_0", FOLLOWS, 1),
    "J3 a minus alone": ("-", "'-' stands where a value belongs", 0),
    "J3 a digit that is not ASCII": ("١", "'١' stands where a value belongs", 0),
    "J3 a digit that is not ASCII after one that is": ("1١", FOLLOWS, 1),
    "J3 such a digit in an array": ("[1١]", f"'١' {SEPARATOR}", 2),
    "J3 such a digit after the point": ('{"a":1.١}', f"'.' {SEPARATOR}", 6),
    "J3 such a digit in an exponent": ("-10e+٣", FOLLOWS, 3),
    # J4
    "J4 an unescaped tab": ('"a\tb"', "the control character U+0009 stands unescaped in a string", 2),
    "J4 an unescaped line feed": ('"\n"', "the control character U+000A stands unescaped in a string", 1),
    "J4 an unescaped line feed between a comma and a bracket": (
        '["a,\n]"]',
        "the control character U+000A stands unescaped in a string",
        4,
    ),
    "J4 two unescaped tabs at the end of the text": (
        '"a\t\t',
        "the control character U+0009 stands unescaped in a string",
        2,
    ),
    "J4 an unescaped NUL": ('"\0"', "the control character U+0000 stands unescaped in a string", 1),
    "J4 an unescaped U+001F": ('{"\x1f":1}', "the control character U+001F stands unescaped in a string", 2),
    "J4 an unknown escape": (r'"\x41"', r"'\\x' is not an escape of JSON", 1),
    "J4 an escaped single quotation mark": (r'''"\'"''', """"\\\\'" is not an escape of JSON""", 1),
    "J4 a backslash before a line feed": ('"\\\n"', r"'\\\n' is not an escape of JSON", 1),
    "J4 an octal escape": (r'"\0"', r"'\\0' is not an escape of JSON", 1),
    "J4 an escape in capitals": (r'"\N"', r"'\\N' is not an escape of JSON", 1),
    "J4 U for u": (r'"\U0041"', r"'\\U' is not an escape of JSON", 1),
    "J4 three digits": (r'"\u004"', NO_DIGITS, 1),
    "J4 no digits": (r'"\u"', NO_DIGITS, 1),
    "J4 an underscore among the digits": (r'"\u1_23"', NO_DIGITS, 1),
    "J4 a sign among the digits": (r'"\u+123"', NO_DIGITS, 1),
    "J4 a minus sign among the digits": (r'"\u-123"', NO_DIGITS, 1),
    "J4 a space among the digits": (r'"\u 123"', NO_DIGITS, 1),
    "J4 a hexadecimal prefix": (r'"\u0x41"', NO_DIGITS, 1),
    "J4 digits in braces": (r'"\u{41}"', NO_DIGITS, 1),
    "J4 a digit that is not ASCII": (r'"\u004١"', NO_DIGITS, 1),
    "J4 a full-width letter among the digits": ('"\\u00e\uff21"', NO_DIGITS, 1),
    "J4 a backslash at the end": ('"\\', r"'\\' is not an escape of JSON", 1),
    # J5
    "J5 a name twice": ('{"a":1,"a":2}', "the member 'a' stands twice in one object", 7),
    "J5 a name twice, once escaped": (r'{"a":1,"\u0061":2}', "the member 'a' stands twice in one object", 7),
    "J5 a name twice with equal values": ('{"a":1, "a":1}', "the member 'a' stands twice in one object", 8),
    "J5 an empty name twice": ('{"":1,"":2}', "the member '' stands twice in one object", 6),
    "J5 a name twice in an inner object": (
        '{"a":[{"b":1,"c":{"a":2},"b":3}]}',
        "the member 'b' stands twice in one object",
        25,
    ),
    "J5 a pair of escapes and the character": (
        r'{"\ud83d\ude00":1,"' + EMOJI + '":2}',
        f"the member '{EMOJI}' stands twice in one object",
        18,
    ),
    "J5 a name twice, not next to each other": (
        '{"a":"b","c":"a","a":{}}',
        "the member 'a' stands twice in one object",
        17,
    ),
    # J6
    "J6 a high surrogate escaped": (r'"\ud800"', UNPAIRED, 1),
    "J6 a low surrogate escaped": (r'"\udfff"', UNPAIRED, 1),
    "J6 in a member name": (r'{"\uD800":1}', UNPAIRED, 2),
    "J6 low before high": (r'"\ude00\ud83d"', UNPAIRED, 1),
    "J6 two high ones, then a low one": (r'"\ud83d\ud83d\ude00"', UNPAIRED, 1),
    "J6 a high one, then an ordinary escape": (r'"\ud83d\u0041"', UNPAIRED, 1),
    "J6 a high one, then a letter": (r'"\udbffA"', UNPAIRED, 1),
    "J6 a pair and one more low one": (r'"\ud83d\ude00\ude00"', UNPAIRED, 13),
    # J7
    "J7 seventeen brackets deep": ("[" * 17 + "]" * 17, TOO_DEEP, 16),
    "J7 4096 brackets, 8192 units": ("[" * 4096 + "]" * 4096, TOO_DEEP, 16),
    "J7 8192 opening brackets": ("[" * 8192, TOO_DEEP, 16),
    "J7 1300 objects": ('{"a":' * 1300 + "1" + "}" * 1300, TOO_DEEP, 80),
    "J7 after a string with brackets": ('{"[[":' * 17, TOO_DEEP, 96),
}


@pytest.mark.parametrize("name", GOOD)
def test_strict_json_is_read(name: str) -> None:
    text, value = GOOD[name]
    assert parse(text) == value


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_one_reason_and_its_offset(name: str) -> None:
    text, reason, offset = BAD[name]
    assert parse(text) == Malformed(reason, offset)


def test_the_value_is_of_the_plain_types() -> None:
    """`1 == True` in Python, so equality alone would not tell (bug-log S01)."""
    assert type(parse("true")) is bool
    assert type(parse("1")) is Number


# J1

FILLERS = {
    "ASCII": "a",
    "two bytes in UTF-8": "é",
    "the last of one unit": "\uffff",
    "the first of two units": "\U00010000",
    "emoji": EMOJI,
    "the last code point": "\U0010ffff",
}


def filled(size: int, filler: str) -> str:
    """Return a JSON string that is `size` units long with its quotation marks."""
    wide = units(filler)
    odd = (size - 2) % wide
    return '"' + "a" * odd + filler * ((size - 2) // wide) + '"'


@pytest.mark.parametrize("filler", FILLERS.values(), ids=FILLERS)
@pytest.mark.parametrize("size", [MAX_UNITS - 1, MAX_UNITS])
def test_j1_a_text_within_the_limit_is_read(size: int, filler: str) -> None:
    text = filled(size, filler)
    assert units(text) == size
    assert parse(text) == text[1:-1]


@pytest.mark.parametrize("filler", FILLERS.values(), ids=FILLERS)
def test_j1_a_text_one_unit_longer_is_refused(filler: str) -> None:
    text = filled(MAX_UNITS + 1, filler)
    assert units(text) == MAX_UNITS + 1
    assert parse(text) == Malformed(TOO_LONG, len(text) - 1)


def test_j1_the_offset_is_of_the_character_that_does_not_fit() -> None:
    assert parse("a" * 8191 + EMOJI) == Malformed(TOO_LONG, 8191)
    assert parse("a" * 9000) == Malformed(TOO_LONG, 8192)


def test_j1_white_space_and_escapes_are_counted_raw() -> None:
    escapes = '"' + r"\u0041" * 1365 + '"'
    assert units(escapes) == MAX_UNITS
    assert parse(escapes) == "A" * 1365
    assert parse(escapes + "\n") == Malformed(TOO_LONG, 8192)
    assert parse(" " * 8191 + "1") == Number("1")
    assert parse(" " * 8192 + "1") == Malformed(TOO_LONG, 8192)


def test_j1_comes_before_every_other_clause() -> None:
    assert parse("\ud800" + "[" * 8192) == Malformed(TOO_LONG, 8192)


def test_a_reader_may_set_other_limits() -> None:
    """The documents of a run directory are read without J1 (A2)."""
    assert parse('"' + "a" * 10_000 + '"', max_units=None) == "a" * 10_000
    assert parse('"' + EMOJI + '"', max_units=3) == Malformed(
        "the text is longer than 3 UTF-16 code units", 2
    )
    assert parse("[[[]]]", max_depth=2) == Malformed("brackets nest deeper than 2", 2)


@pytest.mark.parametrize(
    ("text", "counted"),
    [("", 0), ("a", 1), ("é", 1), ("\uffff", 1), ("\U00010000", 2), (EMOJI * 3 + "a", 7), ("\ud800", 1)],
)
def test_units_are_utf_16_code_units(text: str, counted: int) -> None:
    assert units(text) == counted
    assert units(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_every_escape_of_one_character_but_eight_is_refused() -> None:
    """J4, over every character up to U+00FF after a backslash."""
    taken = {chr(code) for code in range(0x100) if parse('"\\' + chr(code) + '"') != _bad_escape(chr(code))}
    assert taken == set('"\\/bfnrt')


def _bad_escape(char: str) -> Malformed:
    return Malformed(NO_DIGITS if char == "u" else f"{chr(92) + char!r} is not an escape of JSON", 1)


def test_every_character_below_space_and_no_other_is_refused_unescaped() -> None:
    refused = [code for code in range(0x3000) if isinstance(parse('"' + chr(code) + '"'), Malformed)]
    assert refused == [*range(0x20), ord('"'), ord("\\")]


def test_every_white_space_but_four_is_refused() -> None:
    taken = [
        chr(code) for code in range(0x10000) if chr(code).isspace() and parse(chr(code) + "1") == Number("1")
    ]
    assert taken == ["\t", "\n", "\r", " "]


# J7, V2: what the interpreter is and has must not show

READ_ALL = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))
for name in ("json", "json.decoder", "json.scanner", "json.encoder"):
    sys.modules.pop(name, None)
import ast
from json import decoder, scanner
assert (decoder.c_scanstring is None) == (scanner.c_make_scanner is None) == ("_json" in sys.argv)
from grounded_claims.strict_json import parse
sys.stdout.write(ascii([repr(parse(text)) for text in ast.literal_eval(sys.stdin.read())]))
"""


def read_elsewhere(texts: list[str], *, blocked: tuple[str, ...] = (), limit: str | None = None) -> list[str]:
    """Read texts in a process of its own, and return what became of each."""
    environ = os.environ | {"PYTHONPATH": str(SOURCES)} | ({"PYTHONINTMAXSTRDIGITS": limit} if limit else {})
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", READ_ALL, *blocked],
        input=ascii(texts),
        capture_output=True,
        text=True,
        env=environ,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    read: list[str] = ast.literal_eval(done.stdout)
    return read


ALL_TEXTS = [*(text for text, _ in GOOD.values()), *(text for text, *_ in BAD.values())]


@pytest.mark.parametrize(
    ("blocked", "limit"),
    [(("_json",), None), ((), "640"), ((), "0"), (("_json",), "640")],
    ids=["no accelerator", "640 digits", "any digits", "no accelerator and 640 digits"],
)
def test_j7_the_interpreter_does_not_show(blocked: tuple[str, ...], limit: str | None) -> None:
    assert read_elsewhere(ALL_TEXTS, blocked=blocked, limit=limit) == [
        repr(parse(text)) for text in ALL_TEXTS
    ]


def test_j7_reading_is_the_same_without_the_accelerator_over_many_texts() -> None:
    """Every cut of a text, and every one of its characters replaced by each of some others."""
    base = r'{"a,":{},"b" : [1.5e2, "x\u00e9\ud83d\ude00", {"b":null}], "c":-0}'
    texts = [base[:end] for end in range(len(base))]
    for char in '"\\,:[]{}e.١0 \x0b\ud800N':
        texts += [base[:at] + char + base[at + 1 :] for at in range(len(base))]
    assert read_elsewhere(texts, blocked=("_json",)) == [repr(parse(text)) for text in texts]


# What the standard reader alone lets pass (style.md, "Traps, measured")

LENIENT = ["J3 NaN", "J3 Infinity", "J3 -Infinity", "J5 a name twice", "J6 a high surrogate escaped"]


@pytest.mark.parametrize("name", LENIENT)
def test_the_standard_reader_takes_what_is_refused_here(name: str) -> None:
    text, reason, offset = BAD[name]
    json.loads(text)
    assert parse(text) == Malformed(reason, offset)
