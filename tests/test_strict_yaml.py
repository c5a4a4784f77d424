"""Clauses F1.1 to F1.8: the bytes of a YAML file to plain values, or every fault with its line and its mend.

Every bad row is one defect, or a few that belong together; all faults that are reported are asserted whole,
each as `line: key: message`.
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
import yaml
from small_suite import FILES

from grounded_claims.strict_yaml import MAX_BYTES, Loaded, load

ROOT = Path(__file__).parent.parent

GOOD: dict[str, tuple[str, object]] = {
    "plain texts": ("a: b\nc: d e\n", {"a": "b", "c": "d e"}),
    "no line break at the end": ("a: b", {"a": "b"}),
    "whole numbers": (
        "a: 0\nb: 7\nc: -12\nd: 123456789012345678\n",
        {"a": 0, "b": 7, "c": -12, "d": 123456789012345678},
    ),
    "booleans and null": ("a: true\nb: false\nc: null\n", {"a": True, "b": False, "c": None}),
    "what only looks like a number": (
        "a: 08\nb: 1e3\nc: 0o17\nd: 1.2.3\ne: 5s\nf: v2\n",
        {"a": "08", "b": "1e3", "c": "0o17", "d": "1.2.3", "e": "5s", "f": "v2"},
    ),
    "what YAML would change, in quotation marks": (
        "a: '010'\nb: \"NO\"\nc: ''\nd: '~'\n'on': '<<'\n'1': '='\n",
        {"a": "010", "b": "NO", "c": "", "d": "~", "on": "<<", "1": "="},
    ),
    "lists and mappings, either style": (
        "a: [b, {c: d}]\ne:\n  - f\n  - g: h\n    i: []\nj: {}\n",
        {"a": ["b", {"c": "d"}], "e": ["f", {"g": "h", "i": []}], "j": {}},
    ),
    "a list in brackets over two lines": ("a: [b,\n  c]\n", {"a": ["b", "c"]}),
    "an apostrophe, written twice or within a plain text": (
        "a: 'it''s'\nb: it's\n",
        {"a": "it's", "b": "it's"},
    ),
    "escapes": (r'a: "\t\n\r\0\x41\u00e9\U0001f600"', {"a": "\t\n\r\0Aé\U0001f600"}),
    "the three ends of a block": (
        "a: |\n  b\nc: |-\n  d\ne: |+\n  f\n\n",
        {"a": "b\n", "c": "d", "e": "f\n\n"},
    ),
    "a block with # and tabs and blank lines": (
        "a: |\n  b # c\n\n  \td\n  #e\n",
        {"a": "b # c\n\n\td\n#e\n"},
    ),
    "a tab within quotation marks": ("a: '\t'\nb: \"\t\"\n", {"a": "\t", "b": "\t"}),
    "comments on lines of their own": (
        "# a\nb:\n  # c\n  d: e\n  # f\n\n# g\nh: |\n  i\n# j\n",
        {"b": {"d": "e"}, "h": "i\n"},
    ),
    "a comment behind a quoted text": ("a: 'b' # c\nd: \"e\" # f\n", {"a": "b", "d": "e"}),
    "a comment behind a key": ("a: # b\n  c:   # why\n    d: e\n", {"a": {"c": {"d": "e"}}}),
    "a comment behind a key, before its plain text": ("a: # b\n  c\n", {"a": "c"}),
    "a comment behind a hyphen": ("a:\n  - # b\n    c\n", {"a": ["c"]}),
    "a comment behind a bracket": (
        "a: [b, c] # d\ne: {f: g} # h\ni: [ # j\n  k]\n",
        {"a": ["b", "c"], "e": {"f": "g"}, "i": ["k"]},
    ),
    "a comment behind a comma": ("a: [b, # c\n  d]\n", {"a": ["b", "d"]}),
    "a comment behind |": ("a: | # b\n  c\n", {"a": "c\n"}),
    "a # that begins no comment": ("a: b#c\nd: '# e'\n", {"a": "b#c", "d": "# e"}),
    "a ? that marks no key": ("a: what?\nb?: c\n'? d': '?'\n", {"a": "what?", "b?": "c", "? d": "?"}),
    "other languages": (
        "a: 引用是真的，為什麼？\né: \U0001f600\n",
        {"a": "引用是真的，為什麼？", "é": "\U0001f600"},
    ),
    "a byte order mark within a text": ("a: b\ufeffc\n", {"a": "b\ufeffc"}),
    "one key in two mappings": ("a: {b: c}\nd: {b: e}\n", {"a": {"b": "c"}, "d": {"b": "e"}}),
    "eight levels": ("a: [[[[[[[b]]]]]]]\n", {"a": [[[[[[["b"]]]]]]]}),
    "a JSON text in single quotation marks": (
        'a: \'{"b": [1, "c\\u0041"]} # d\'\n',
        {"a": '{"b": [1, "c\\u0041"]} # d'},
    ),
}

BAD: dict[str, tuple[str, ...]] = {
    "F1.1 an empty file": (
        "",
        "1: the file is empty; a mapping belongs here ('key: value' lines)",
    ),
    "F1.1 nothing but a comment": (
        "# nothing\n",
        "1: the file is empty; a mapping belongs here ('key: value' lines)",
    ),
    "F1.1 a list": (
        "- a\n",
        "1: the file is a list; a mapping belongs here ('key: value' lines)",
    ),
    "F1.1 a text": (
        "a\n",
        "1: 'a' has no colon; a line here reads 'key: value', and a text of several lines is a | block",
    ),
    "F1.1 a quoted text": (
        "'a: b'\n",
        "1: the file is one text; a mapping belongs here ('key: value' lines)",
    ),
    "F1.1 a byte order mark": (
        "\ufeffa: b\n",
        "1: the file begins with a byte order mark; save it as UTF-8, not as UTF-8 with BOM",
    ),
    "F1.2 CRLF": (
        "a: b\r\nc: d\r\n",
        "1: the line ends in CR (and 1 more); save the file with the line ending LF, not CRLF",
    ),
    "F1.2 a CR within a quoted text": (
        "a: 'b\rc'\n",
        "1: the line ends in CR; save the file with the line ending LF, not CRLF",
    ),
    "F1.2 NEL": (
        "a: b\x85c\n",
        "1: the line break NEL U+0085 may not stand in a file; take it out",
    ),
    "F1.2 LS": (
        "a: 'b\u2028c'\n",
        "1: the line break LS U+2028 may not stand in a file; take it out",
    ),
    "F1.2 PS": (
        "a: |\n  b\u2029c\n",
        "2: the line break PS U+2029 may not stand in a file; take it out",
    ),
    "F1.2 NUL": (
        "a: b\x00c\n",
        "1: the character U+0000 may not stand in a file; take it out",
    ),
    "F1.2 an escape character, thrice": (
        "a: 'b\x1b'\nc: '\x1b\x1b'\n",
        "1: the character U+001B (and 2 more) may not stand in a file; take it out",
    ),
    "F1.2 DEL": (
        "a: b\x7f\n",
        "1: the character U+007F may not stand in a file; take it out",
    ),
    "F1.2 U+FFFE": (
        "a: b\ufffe\n",
        "1: the character U+FFFE may not stand in a file; take it out",
    ),
    "F1.2 a tab for indentation": (
        "a:\n\tb: c\n",
        "2: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 a tab after a value": (
        "a: 'b'\t\n",
        "1: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 a tab within a plain text": (
        "a: b\tc\n",
        "1: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 a tab within a comment": (
        "# a\tb\na: b\n",
        "1: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 tabs in several comments": (
        "# a\tb\na: b\n#\t\n#\t\t\n",
        "1: a tab stands here (and in 2 more lines), and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 a tab after a colon": (
        "a:\tb\n",
        "1: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.2 a tab in the comment of a block": (
        "'a': | # b\tc\n  d\n",
        "1: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "F1.3 an anchor": (
        "a: &x b\n",
        "1: a: the anchor &x is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 an anchor on a list": (
        "a: &x [b]\n",
        "1: a: the anchor &x is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 an alias": (
        "a: &x b\nc: *x\n",
        "1: a: the anchor &x is not taken; take it out, or put the text in quotation marks",
        "2: c: the alias *x is not taken; write the value out, or put the text in quotation marks",
    ),
    "F1.3 an alias as a key": (
        "a: &x b\n*x : c\n",
        "1: a: the anchor &x is not taken; take it out, or put the text in quotation marks",
        "2: the alias *x is not taken; write the value out, or put the text in quotation marks",
    ),
    "F1.3 a tag": (
        "a: !!int '5'\n",
        "1: a: the tag '!!int' is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 a tag of one's own": (
        "a: !x b\n",
        "1: a: the tag '!x' is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 the tag !": (
        "a: ! b\n",
        "1: a: the tag '!' is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 an unknown tag handle": (
        "a: !x!y b\n",
        "1: tags (!) are not taken; put the text in quotation marks, or take the ! out",
    ),
    "F1.3 a line break smuggled into a tag": (
        "a: !<x%0Ay> b\n",
        "1: a: the tag 'x\\ny' is not taken; take it out, or put the text in quotation marks",
    ),
    "F1.3 a merge key": (
        "a: &x {b: c}\nd:\n  <<: *x\n",
        "1: a: the anchor &x is not taken; take it out, or put the text in quotation marks",
        '3: d.<<: << is a merge key to YAML; put it in quotation marks: "<<"',
        "3: d.<<: the alias *x is not taken; write the value out, or put the text in quotation marks",
    ),
    "F1.3 a %YAML directive": (
        "%YAML 1.1\n---\na: b\n",
        "1: directives (%) are not taken; take the line out",
        "2: the marker '---' is not taken; take the line out",
    ),
    "F1.3 a directive that YAML ignores": (
        "%FOO\n---\na: b\n",
        "2: the marker '---' is not taken; take the line out",
    ),
    "F1.3 a directive without a marker": (
        "%FOO\na: b\n",
        "1: directives (%) are not taken; take the line out",
    ),
    "F1.3 a marker ---": (
        "---\na: b\n",
        "1: the marker '---' is not taken; take the line out",
    ),
    "F1.3 a marker ...": (
        "a: b\n...\n",
        "2: the marker '...' is not taken; take the line out",
    ),
    "F1.3 a marker ... at the beginning": (
        "...\na: b\n",
        "1: the markers '---' and '...' are not taken; take the line out",
    ),
    "F1.3 a second document": (
        "a: b\n---\nc: d\n",
        "2: a second document begins here; a file holds one, so take the line '---' out",
    ),
    "F1.3 a key with ?": (
        "? a\n: b\n",
        "1: '? ' keys are not taken; write 'key: value'",
    ),
    "F1.3 a key with ? after a comment": (
        "# why?\na: b\n# why?\n? c\n: d\n",
        "4: '? ' keys are not taken; write 'key: value'",
    ),
    "F1.3 a key with ? in braces": (
        "a: {? b : c}\n",
        "1: a: '? ' keys are not taken; write 'key: value'",
    ),
    "F1.3 a key with ? in brackets": (
        "a: [x, ? b : c]\n",
        "1: a[1]: '? ' keys are not taken; write 'key: value'",
    ),
    "F1.4 a key twice": (
        "a: b\na: c\n",
        "2: a: stands here twice, first in line 1; keep one of the two",
    ),
    "F1.4 a key twice, once quoted": (
        "a: b\nc: d\n'a': e\n",
        "3: a: stands here twice, first in line 1; keep one of the two",
    ),
    "F1.4 a key twice, deep down": (
        "a:\n  - b: c\n    d: e\n    b: f\n",
        "4: a[0].b: stands here twice, first in line 2; keep one of the two",
    ),
    "F1.4 a key twice with a mapping": (
        "a: {b: c}\na: {d: 010}\n",
        "2: a: stands here twice, first in line 1; keep one of the two",
        '2: a.d: 010 is the number 8 to YAML; put it in quotation marks: "010"',
    ),
    "F1.4 a number as a key": (
        "1: a\n",
        '1: 1: 1 is no text to YAML, and a key is; put it in quotation marks: "1"',
    ),
    "F1.4 null as a key": (
        "null: a\n",
        '1: null: null is no text to YAML, and a key is; put it in quotation marks: "null"',
    ),
    "F1.4 on as a key": (
        "on: a\n",
        '1: on: on is the boolean true to YAML; put it in quotation marks: "on"',
    ),
    "F1.4 an empty key": (
        "a: {: b}\n",
        "1: a colon stands here without a key before it; write the key, or take the colon out",
    ),
    "F1.4 a list as a key": (
        "[a]: b\n",
        "1: a list or a mapping stands as a key; a key is a text, in quotation marks if need be",
    ),
    "F1.4 a mapping as a key": (
        "{a: b}: c\n",
        "1: a list or a mapping stands as a key; a key is a text, in quotation marks if need be",
    ),
    "F1.5 a folded block": (
        "a: >-\n  b\n  c\n",
        "1: a: a > block joins its lines; write | to keep them as they are",
    ),
    "F1.5 a plain text over two lines": (
        "a: b\n  c\n",
        (
            "1: a: the text begun here runs on to line 2; a text of several lines is a | block; if the "
            "next line is not part of it, give it the indentation of its neighbours"
        ),
    ),
    "F1.5 a quoted text over two lines": (
        'a: "b\n  c"\n',
        (
            '1: a: the text begun here runs on to line 2; put the quotation mark " that is missing at the '
            "end of this line; a text of several lines is a | block"
        ),
    ),
    "F1.5 a text over two lines by an escaped break": (
        'a: "b\\\n  c"\n',
        (
            '1: a: the text begun here runs on to line 2; put the quotation mark " that is missing at the '
            "end of this line; a text of several lines is a | block"
        ),
    ),
    "F1.5 a comment behind a text": (
        "a: b # c\n",
        (
            "1: a: the comment '# c' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.5 a comment behind a number": (
        "a: 5 #c\n",
        (
            "1: a: the comment '#c' stands behind a value; give it a line of its own; if it is part of the "
            "text, put the text in quotation marks"
        ),
    ),
    "F1.5 a comment behind a list item": (
        "a:\n  - b # c\n",
        (
            "2: a[0]: the comment '# c' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.5 a comment within a list, before its comma": (
        "a: [b # c\n  , d]\n",
        (
            "1: a[0]: the comment '# c' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.5 a comment within a mapping, before its bracket": (
        "a: {b: c # d\n  }\n",
        (
            "1: a.b: the comment '# d' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.5 a comment within a list, before its bracket": (
        "a: [b, c # d\n  ]\n",
        (
            "1: a[1]: the comment '# d' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.5 two comments": (
        "a: b # c # d\ne: f # g\n",
        (
            "1: a: the comment '# c # d' stands behind a value; give it a line of its own; if it is part "
            "of the text, put the text in quotation marks"
        ),
        (
            "2: e: the comment '# g' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
    ),
    "F1.6 NO": (
        "a: NO\n",
        '1: a: NO is the boolean false to YAML; put it in quotation marks: "NO"',
    ),
    "F1.6 True": (
        "a: True\n",
        '1: a: True is the boolean true to YAML; put it in quotation marks: "True"',
    ),
    "F1.6 off": (
        "a: off\n",
        '1: a: off is the boolean false to YAML; put it in quotation marks: "off"',
    ),
    "F1.6 y": (
        "a: y\n",
        '1: a: y is the boolean true to YAML; put it in quotation marks: "y"',
    ),
    "F1.6 N": (
        "a: N\n",
        '1: a: N is the boolean false to YAML; put it in quotation marks: "N"',
    ),
    "F1.6 Null": (
        "a: Null\n",
        (
            "1: a: Null is null to YAML; write null for none; if the text is meant, put it in quotation "
            'marks: "Null"'
        ),
    ),
    "F1.6 a tilde": (
        "a: ~\n",
        (
            "1: a: ~ is null to YAML; write null for none; if the text is meant, put it in quotation "
            'marks: "~"'
        ),
    ),
    "F1.6 nothing": (
        "a:\n",
        (
            "1: a: nothing stands here; write the value, or indent the lines below that belong to it; null "
            'stands for none, and "" for an empty text'
        ),
    ),
    "F1.6 nothing in a list": (
        "a:\n  -\n",
        (
            "2: a[0]: nothing stands here; write the value, or indent the lines below that belong to it; "
            'null stands for none, and "" for an empty text'
        ),
    ),
    "F1.6 octal": (
        "a: 010\n",
        '1: a: 010 is the number 8 to YAML; put it in quotation marks: "010"',
    ),
    "F1.6 hexadecimal": (
        "a: 0x1F\n",
        '1: a: 0x1F is the number 31 to YAML; put it in quotation marks: "0x1F"',
    ),
    "F1.6 binary": (
        "a: 0b101\n",
        '1: a: 0b101 is the number 5 to YAML; put it in quotation marks: "0b101"',
    ),
    "F1.6 an underscore": (
        "a: 12_34\n",
        '1: a: 12_34 is the number 1234 to YAML; put it in quotation marks: "12_34"',
    ),
    "F1.6 a plus sign": (
        "a: +5\n",
        '1: a: +5 is the number 5 to YAML; put it in quotation marks: "+5"',
    ),
    "F1.6 minus nought": (
        "a: -0\n",
        '1: a: -0 is the number 0 to YAML; put it in quotation marks: "-0"',
    ),
    "F1.6 nineteen digits": (
        "a: 1234567890123456789\n",
        (
            "1: a: 1234567890123456789 is a number of more than 18 digits to YAML; put it in quotation "
            'marks: "1234567890123456789"'
        ),
    ),
    "F1.6 a hundred digits": (
        f"a: {'9' * 100}\n",
        (
            "1: a: 99999999999999999999999999999999999999999999999999999999999… is a number of more than "
            "18 digits to YAML; put it in quotation marks"
        ),
    ),
    "F1.6 five thousand digits": (
        f"a: {'9' * 5000}\n",
        (
            "1: a: 99999999999999999999999999999999999999999999999999999999999… is a number of more than "
            "18 digits to YAML; put it in quotation marks"
        ),
    ),
    "F1.6 hexadecimal without digits": (
        "a: 0x_\n",
        '1: a: 0x_ is a number to YAML; put it in quotation marks: "0x_"',
    ),
    "F1.6 a fraction": (
        "a: 1.10\n",
        '1: a: 1.10 is the number 1.1 to YAML; put it in quotation marks: "1.10"',
    ),
    "F1.6 .5": (
        "a: .5\n",
        '1: a: .5 is the number 0.5 to YAML; put it in quotation marks: ".5"',
    ),
    "F1.6 an exponent": (
        "a: 1.0e+3\n",
        '1: a: 1.0e+3 is the number 1000.0 to YAML; put it in quotation marks: "1.0e+3"',
    ),
    "F1.6 infinity": (
        "a: .inf\n",
        '1: a: .inf is the number inf to YAML; put it in quotation marks: ".inf"',
    ),
    "F1.6 not a number": (
        "a: .NaN\n",
        '1: a: .NaN is the number nan to YAML; put it in quotation marks: ".NaN"',
    ),
    "F1.6 a time": (
        "a: 12:30\n",
        '1: a: 12:30 is the number 750 to YAML; put it in quotation marks: "12:30"',
    ),
    "F1.6 a time with seconds": (
        "a: 12:30:45\n",
        '1: a: 12:30:45 is the number 45045 to YAML; put it in quotation marks: "12:30:45"',
    ),
    "F1.6 a date": (
        "a: 2026-01-02\n",
        '1: a: 2026-01-02 is a date to YAML; put it in quotation marks: "2026-01-02"',
    ),
    "F1.6 a date that is none": (
        "a: 2026-13-45\n",
        '1: a: 2026-13-45 is a date to YAML; put it in quotation marks: "2026-13-45"',
    ),
    "F1.6 a date with a time": (
        "a: 2026-01-02 03:04:05\n",
        '1: a: 2026-01-02 03:04:05 is a date to YAML; put it in quotation marks: "2026-01-02 03:04:05"',
    ),
    "F1.6 =": (
        "a: =\n",
        '1: a: = is a special word to YAML; put it in quotation marks: "="',
    ),
    "F1.6 <<": (
        "a: <<\n",
        '1: a: << is a merge key to YAML; put it in quotation marks: "<<"',
    ),
    "F1.7 an escaped surrogate": (
        'a: "\\ud800"\n',
        "1: a: an escape names a surrogate; write the character itself",
    ),
    "F1.7 an escaped pair": (
        'a: "\\ud83d\\ude00"\n',
        "1: a: an escape names a surrogate; write the character itself",
    ),
    "F1.7 an escape beyond Unicode": (
        'a: "\\U00110000"\n',
        "1: a: this \\U escape names no character; write the character itself",
    ),
    "F1.7 an escape far beyond Unicode": (
        'a: "\\UFFFFFFFF"\n',
        "1: a: this \\U escape names no character; write the character itself",
    ),
    "F1.7 an unknown escape": (
        'a: "\\q"\n',
        (
            "1: within double quotation marks \\ begins an escape, and this one is unknown; put the text "
            "in single quotation marks, where \\ is itself"
        ),
    ),
    "F1.7 an escape cut short": (
        'a: "\\x4"\n',
        (
            "1: within double quotation marks \\ begins an escape, and this one is unknown; put the text "
            "in single quotation marks, where \\ is itself"
        ),
    ),
    "F1.8 nine levels": (
        f"a: {'[' * 8}{']' * 8}\n",
        "1: a[0][0][0][0][0][0][0]: collections nest more than 8 deep here; take a level out",
    ),
    "F1.8 a million levels": (
        f"a: {'[' * 1_000_000}\n",
        "1: a[0][0][0][0][0][0][0]: collections nest more than 8 deep here; take a level out",
    ),
    "several faults at once": (
        "a: 010\na: NO # x\n#\ty\nb: &z c\n",
        '1: a: 010 is the number 8 to YAML; put it in quotation marks: "010"',
        "2: a: stands here twice, first in line 1; keep one of the two",
        '2: a: NO is the boolean false to YAML; put it in quotation marks: "NO"',
        (
            "2: a: the comment '# x' stands behind a value; give it a line of its own; if it is part of "
            "the text, put the text in quotation marks"
        ),
        "3: a tab stands here, and YAML takes spaces only; replace it by spaces",
        "4: b: the anchor &z is not taken; take it out, or put the text in quotation marks",
    ),
    "a first line indented": (
        " a: b\nc: d\n",
        (
            "2: this line is indented by 0 spaces, which fits none of the lines above; give it the same "
            "indentation as its neighbours"
        ),
    ),
    "a reserved character": (
        "a: `b`\n",
        "1: a text without quotation marks cannot begin with '`'; put it in quotation marks",
    ),
    "a bracket closed that was not opened": (
        "a: ]\n",
        "1: ']' stands where a value belongs; put the text in quotation marks, or take it out",
    ),
    "a bracket never closed": (
        "a: [b, c\n",
        "1: the bracket opened in this line is never closed; put ']' at its end",
    ),
    "a brace never closed": (
        "a: {b: c\n",
        "1: the bracket opened in this line is never closed; put '}' at its end",
    ),
    "a comma missing": (
        "a: ['b' 'c']\n",
        "1: a comma is missing before \"'c']\"",
    ),
    "a list item on the line of its key": (
        "a: - b\n",
        "1: a list item begins on a line of its own, below its key; put '- ' on the next line",
    ),
    "a colon before any key": (
        ": a\n",
        "1: a colon stands here without a key before it; write the key, or take the colon out",
    ),
    "a quotation mark never closed before a marker": (
        "a: b\nc: 'd\n---\n",
        "2: the quotation mark ' is opened and not closed in this line; put ' at its end",
    ),
    "a quotation mark at the end of the file": (
        "a: b\nc: 'd\n",
        "2: the quotation mark ' is opened and not closed in this line; put ' at its end",
    ),
}


def faults(loaded: Loaded) -> list[str]:
    """Return the faults, each as `line: key: message`."""
    return [f"{fault.line}: {fault}" for fault in loaded.faults]


@pytest.mark.parametrize("what", GOOD)
def test_what_yaml_says_is_what_is_meant(what: str) -> None:
    text, value = GOOD[what]
    loaded = load(text.encode())
    assert (faults(loaded), loaded.complete) == ([], True)
    assert loaded.value == value
    assert repr(loaded.value) == repr(value)  # True is not 1


@pytest.mark.parametrize("what", BAD)
def test_what_yaml_would_change_or_cannot_read_is_refused(what: str) -> None:
    text, *expected = BAD[what]
    assert faults(load(text.encode())) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            b"a: b\nc: \xe9\n",
            "2: the byte 0xe9 is not UTF-8; save the file as UTF-8 without a byte order mark",
        ),
        (
            b"a: \xed\xa0\x80\n",
            "1: the byte 0xed is not UTF-8; save the file as UTF-8 without a byte order mark",
        ),
        (b"a: \xc0\x80\n", "1: the byte 0xc0 is not UTF-8; save the file as UTF-8 without a byte order mark"),
        (
            "a: b\n".encode("utf-16"),
            "None: the file is in UTF-16; save the file as UTF-8 without a byte order mark",
        ),
        (
            "a: b\n".encode("utf-16-be"),
            "1: the character U+0000 (and 4 more) may not stand in a file; take it out",
        ),
    ],
)
def test_other_encodings_are_refused_and_not_guessed(data: bytes, expected: str) -> None:
    loaded = load(data)
    assert faults(loaded)[:1] == [expected]


def test_a_file_too_large_is_refused_before_it_is_decoded() -> None:
    utf8 = "the byte 0xff is not UTF-8; save the file as UTF-8 without a byte order mark"
    assert faults(load(b"\xff" * MAX_BYTES)) == [f"1: {utf8}"]
    assert faults(load(b"\xff" * (MAX_BYTES + 1))) == [
        "None: the file holds 67108865 bytes; at most 67108864 are taken"
    ]


def test_each_member_and_item_has_its_line() -> None:
    loaded = load(b"a:\n  - b: c\n    d:\n      - e\n\n  -\n    f: |\n      g\nh: {i: j}\n")
    assert loaded.lines == {
        (): 1,
        ("a",): 1,
        ("a", 0): 2,
        ("a", 0, "b"): 2,
        ("a", 0, "d"): 3,
        ("a", 0, "d", 0): 4,
        ("a", 1): 7,
        ("a", 1, "f"): 7,
        ("h",): 9,
        ("h", "i"): 9,
    }
    assert loaded.line(("a", 0, "d", 0)) == 4
    assert loaded.line(("a", 0, "missing", 3)) == 2
    assert loaded.line(("nowhere",)) == 1


def test_after_a_syntax_error_nothing_is_said_of_what_seems_missing() -> None:
    loaded = load(b"a: b\nc\n")
    assert (loaded.value, loaded.complete) == (None, False)


#: Y04, and other texts of which a loader could make much more than they are.
BOMBS = {
    "nine levels of nine aliases": "\n".join(
        ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
        + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    ),
    "an anchor that holds itself": "a: &a [*a]\n",
    "a million brackets": f"a: {'[' * 1_000_000}\n",
    "a million braces": f"a: {'{' * 1_000_000}\n",
    "a million tabs": "\t" * 1_000_000,
    "many comments with tabs": "# \t#\n" * 100_000,
    "many comments behind values": "a:\n" + "- x # y\n" * 5_000,
    "a comment of many number signs": f"a: b {'#' * 1_000_000}\n",
    "a quotation mark never closed": "a: '" + "b\n" * 100_000,
    "a key of a million characters": f"{'a' * 1_000_000}: b\n",
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_text_costs_what_it_is_long(what: str) -> None:
    start = time.process_time()
    assert load(BOMBS[what].encode()).faults
    assert time.process_time() - start < 2


def test_the_suite_of_the_table_costs_little() -> None:
    files = [path.read_bytes() for path in sorted((ROOT / "fixtures" / "config-claims").iterdir())]
    start = time.process_time()
    for data in files:
        load(data)
    assert time.process_time() - start < 0.1


def test_libyaml_is_never_asked() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert re.findall(r"\bC(?:Safe|Base|Full|Unsafe)?(?:Loader|Parser)\b|cyaml|import _yaml", sources) == []


def test_what_is_taken_is_what_yaml_takes() -> None:
    """Edit files at random: loading never raises, and whatever is taken means the same to PyYAML."""
    dice = random.Random(20261130)
    pieces = [
        *"abc01:#-?'\"|>{}[],&*!%@` \t\n\r~=<",
        ": ",
        " #",
        "\n  ",
        "- ",
        "''",
        "\\",
        "\ufeff",
        "\x85",
        "no",
        "null",
    ]
    bases = [*FILES.values(), "a: {b: [c, 'd', \"e\"]}\nf: |\n  g\n"]
    taken = 0
    for _ in range(1500):
        text = dice.choice(bases)
        start = dice.randrange(len(text))
        text = text[start : start + 120] if dice.random() < 0.5 else text[:200]
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(text) + 1)
            text = text[:at] + dice.choice(pieces) + text[at + dice.randrange(3) :]
        loaded = load(text.encode())
        assert loaded.complete or loaded.faults, text
        if not loaded.faults:
            taken += 1
            assert repr(loaded.value) == repr(yaml.safe_load(text)), text
    assert taken > 150
