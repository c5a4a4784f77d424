"""The two JSON documents: values of every other type, members removed, doubled, moved, and written otherwise.

Every digest is redone, so that what must notice is the form of a document (A2), or what recomputes a member.
"""

from __future__ import annotations

import base64
import copy
import functools
import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any

from .good_runs import MANIFEST, RESULTS, GoodRun, Lab
from .json_text import Path, Writer, at, document, dotted, paths
from .mutation import Mutation, resealed
from .rules import FORM, NOBODY, caught_by

DOCUMENTS = (MANIFEST, RESULTS)
RUNS = ("tiny", "exercise", "order-status", "config-claims")


class RawNumber:
    """A number as it is written, where Python would write it otherwise."""

    def __init__(self, literal: str) -> None:
        self.literal = literal


def read(run: GoodRun, name: str) -> Any:
    """Return a document of a run, to be changed at will."""
    return json.loads(run.files[name])


def others(value: Any) -> Iterator[Any]:
    """Yield values of every type, other than this one."""
    number = "9" * 5000
    plain: list[Any] = [
        None,
        True,
        False,
        0,
        1,
        7,
        8,
        -1,
        2**63,
        10**18,
        "",
        "x",
        "X\n",
        [],
        {},
        [value],
        {"x": value},
    ]
    plain += [value + 1, value - 1] if type(value) is int else []
    plain += (
        [value + "\n", " " + value, value.upper(), value[:-1], [*value]] if isinstance(value, str) else []
    )
    plain += [list(value), str(value)] if isinstance(value, dict) else []
    seen = {json.dumps(value)}
    for each in plain:
        if json.dumps(each) not in seen:
            seen.add(json.dumps(each))
            yield each
    for literal in ("1.0", "1e0", "0.5", "-0", "1e999", number):
        yield RawNumber(literal)


def values(lab: Lab) -> Iterator[Mutation]:
    """Replace each value by values of every type."""
    for run, name in runs_and_documents(lab):
        good = read(run, name)
        for path, value in paths(good):
            if is_digest_of_ours(name, path):
                continue  # sealing redoes them; `digests` breaks each
            for number, other in enumerate(others(value)):
                raw = isinstance(other, RawNumber)
                check = FORM[name][1] if raw else caught_by(name, path, other)
                label = other.literal[:12] if raw else json.dumps(other)[:40]
                yield resealed(
                    "value replaced",
                    f"{name} {dotted(path)} by {label} #{number}",
                    run,
                    check,
                    functools.partial(with_value, name, good, path, other),
                    "expect" if check == NOBODY else "defect",
                )


def with_value(name: str, good: Any, path: Path, other: Any) -> dict[str, bytes]:
    if isinstance(other, RawNumber):
        data = document(replaced(good, path, "\0"))
        return {name: data.replace(b'"\\u0000"', other.literal.encode())}
    return {name: document(replaced(good, path, other))}


def runs_and_documents(lab: Lab) -> Iterator[tuple[GoodRun, str]]:
    for run in RUNS:
        for name in DOCUMENTS:
            yield lab.runs[run], name


def is_digest_of_ours(name: str, path: Path) -> bool:
    """Say whether a path is a digest, or a mapping of them, that sealing would write anew."""
    return name == MANIFEST and path[0] in ("inputs", "outputs") and len(path) == 2


def replaced(good: Any, path: Path, other: Any) -> Any:
    made = copy.deepcopy(good)
    at(made, path[:-1])[path[-1]] = other
    return made


def removals(lab: Lab) -> Iterator[Mutation]:
    """Remove each member and each element."""
    for run, name in runs_and_documents(lab):
        good = read(run, name)
        for path, _ in paths(good):
            made = copy.deepcopy(good)
            holder = at(made, path[:-1])
            del holder[path[-1]]
            check = without(name, path, left=len(holder))
            yield resealed(
                "member removed",
                f"{name} {dotted(path)}",
                run,
                check,
                {name: document(made)},
                "expect" if check == NOBODY else "defect",
            )


def without(name: str, path: Path, *, left: int) -> str:
    """Return the check that must notice that a member is missing."""
    parent = path[:-1]
    if name == MANIFEST and parent == ("environment", "packages") and left:
        return NOBODY
    if name == MANIFEST and parent == ("sources",):
        return "A5.2" if str(path[-1]).startswith("src/") else "A5.1 A5.2"
    if name == RESULTS and parent == ("cases",):
        return "A6.2" if left else "A2.5"
    if name == RESULTS and parent[-1:] == ("accepted",):
        return "A7.5"
    if name == RESULTS and parent[-1:] == ("prediction",):
        return "A6.4" if left else "A2.5"
    return FORM[name][1]


def doubled(lab: Lab) -> Iterator[Mutation]:
    """Write each member twice: the same, with another value, and with its name spelt by an escape."""
    for run, name in runs_and_documents(lab):
        good = read(run, name)
        for path, value in paths(good):
            step = path[-1]
            if isinstance(step, int):
                yield twice(run, name, good, path, "again", "A6.2")
                continue
            escaped = json.dumps(step)
            escaped = '"' + f"\\u{ord(step[0]):04x}" + escaped[2:]
            strict = FORM[name][0]
            yield twice(run, name, good, path, "again", strict)
            yield twice(run, name, good, path, "with an escape", strict, spelt=escaped)
            other = 0 if value != 0 or value is False else 1
            yield twice(run, name, good, path, "with another value", strict, again=other)


def twice(run: GoodRun, name: str, good: Any, path: Path, how: str, check: str, **others: Any) -> Mutation:
    def changed() -> dict[str, bytes]:
        return {name: Writer(good, twice=path, **others).text.encode()}

    return resealed("member doubled", f"{name} {dotted(path)} {how}", run, check, changed)


def reordered(lab: Lab) -> Iterator[Mutation]:
    """Swap each pair of neighbours in each object and each list, and turn each round."""
    for run, name in runs_and_documents(lab):
        good = read(run, name)
        for path, value in (((), good), *paths(good)):
            count = len(value) if isinstance(value, (dict, list)) else 0
            orders = {"reversed": list(range(count))[::-1]} if count > 1 else {}
            for first in range(count - 1 if count > 2 else 0):
                order = list(range(count))
                order[first], order[first + 1] = first + 1, first
                orders[f"{first} and {first + 1}"] = order
            for said, order in orders.items():
                made: Any
                if isinstance(value, dict):
                    items = list(value.items())
                    made, check = dict(items[each] for each in order), FORM[name][2]
                else:
                    made, check = [value[each] for each in order], "A6.2"
                whole = replaced(good, path, made) if path else made
                yield resealed(
                    "members moved",
                    f"{name} {dotted(path) or 'whole'} {said}",
                    run,
                    check,
                    {name: document(whole)},
                )


Spelling = Callable[[bytes], bytes]


def sub(old: bytes, new: bytes) -> Spelling:
    def spelling(data: bytes) -> bytes:
        assert old in data, old
        return data.replace(old, new, 1)

    return spelling


def styled(**options: Any) -> Spelling:
    return lambda data: (
        json.dumps(json.loads(data), **{"ensure_ascii": False, "indent": 2, **options}) + "\n"
    ).encode()


STRICT, SHAPE, EXACT = range(3)
FIRST = b'"format": 1'
DEEP = 100_000
#: How else a document may be written, and which check of its form must notice: strict JSON, schema, or bytes.
SPELLINGS: dict[str, tuple[Spelling, int]] = {
    "nothing": (lambda _: b"", STRICT),
    "a line feed": (lambda _: b"\n", STRICT),
    "a NUL": (lambda _: b"\0", STRICT),
    "null": (lambda _: b"null\n", SHAPE),
    "true": (lambda _: b"true\n", SHAPE),
    "a number": (lambda _: b"1\n", SHAPE),
    "a string": (lambda _: b'"x"\n', SHAPE),
    "a list": (lambda _: b"[]\n", SHAPE),
    "an object": (lambda _: b"{}\n", SHAPE),
    "itself in a list": (lambda data: b"[" + data.rstrip() + b"]\n", SHAPE),
    "two of it": (lambda data: data + data, STRICT),
    "two of it on lines": (lambda data: data.replace(b"\n", b"") + b"\n" + data, STRICT),
    "a BOM": (lambda data: b"\xef\xbb\xbf" + data, STRICT),
    "a BOM at the end": (lambda data: data + b"\xef\xbb\xbf", STRICT),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), STRICT),
    "UTF-16 without a mark": (lambda data: data.decode().encode("utf-16-le"), STRICT),
    "UTF-32": (lambda data: data.decode().encode("utf-32"), STRICT),
    "UTF-7": (lambda data: data.decode().encode("utf-7").replace(b'"', b"+ACI-"), STRICT),
    "gzip": (lambda data: gzip.compress(data, mtime=0), STRICT),
    "base64": (lambda data: base64.b64encode(data), STRICT),
    "CR LF": (lambda data: data.replace(b"\n", b"\r\n"), EXACT),
    "CR": (lambda data: data.replace(b"\n", b"\r"), EXACT),
    "no line breaks": (lambda data: data.replace(b"\n", b""), EXACT),
    "no last line feed": (lambda data: data[:-1], EXACT),
    "two last line feeds": (lambda data: data + b"\n", EXACT),
    "a blank at the end": (lambda data: data + b" ", EXACT),
    "a blank at the start": (lambda data: b" " + data, EXACT),
    "a blank on a line": (sub(b",\n", b", \n"), EXACT),
    "a blank before a colon": (sub(b'"format":', b'"format" :'), EXACT),
    "no blank after a colon": (sub(b'"format": ', b'"format":'), EXACT),
    "four blanks": (styled(indent=4), EXACT),
    "one blank": (styled(indent=1), EXACT),
    "tabs": (styled(indent="\t"), EXACT),
    "compact": (styled(indent=None, separators=(",", ":")), EXACT),
    "one line": (styled(indent=None), EXACT),
    "sorted": (styled(sort_keys=True), EXACT),
    "an escaped name": (sub(b'"format"', b'"\\u0066ormat"'), EXACT),
    "an escaped slash": (sub(b'"config-claims"', b'"config-claim\\u0073"'), EXACT),
    "a form feed": (sub(b",\n", b",\f\n"), STRICT),
    "a vertical tab": (sub(b",\n", b",\v\n"), STRICT),
    "a no-break space": (sub(b",\n", ",\u00a0\n".encode()), STRICT),
    "a line separator": (sub(b",\n", ",\u2028\n".encode()), STRICT),
    "a NUL at the end": (lambda data: data + b"\0", STRICT),
    "a Ctrl-Z at the end": (lambda data: data + b"\x1a", STRICT),
    "a trailing comma": (lambda data: data[:-3] + b",\n}\n", STRICT),
    "a comma too few": (sub(b",\n", b"\n"), STRICT),
    "two commas": (sub(b",\n", b",,\n"), STRICT),
    "a brace too few": (lambda data: data[:-2], STRICT),
    "a brace too many": (lambda data: data + b"}", STRICT),
    "a line comment": (sub(b",\n", b", // x\n"), STRICT),
    "a block comment": (sub(b",\n", b", /* x */\n"), STRICT),
    "a hash comment": (lambda data: b"# x\n" + data, STRICT),
    "single quotation marks": (sub(b'"format"', b"'format'"), STRICT),
    "a bare name": (sub(b'"format"', b"format"), STRICT),
    "a fence": (lambda data: b"```json\n" + data + b"```\n", STRICT),
    "NaN": (sub(FIRST, b'"format": NaN'), STRICT),
    "Infinity": (sub(FIRST, b'"format": Infinity'), STRICT),
    "-Infinity": (sub(FIRST, b'"format": -Infinity'), STRICT),
    "nan": (sub(FIRST, b'"format": nan'), STRICT),
    "True": (sub(FIRST, b'"format": True'), STRICT),
    "None": (sub(FIRST, b'"format": None'), STRICT),
    "undefined": (sub(FIRST, b'"format": undefined'), STRICT),
    "+1": (sub(FIRST, b'"format": +1'), STRICT),
    "01": (sub(FIRST, b'"format": 01'), STRICT),
    "1.": (sub(FIRST, b'"format": 1.'), STRICT),
    ".1": (sub(FIRST, b'"format": .1'), STRICT),
    "0x1": (sub(FIRST, b'"format": 0x1'), STRICT),
    "1_0": (sub(FIRST, b'"format": 1_0'), STRICT),
    "a digit of another script": (sub(FIRST, '"format": \u0661'.encode()), STRICT),
    "1.0": (sub(FIRST, b'"format": 1.0'), SHAPE),
    "1e0": (sub(FIRST, b'"format": 1e0'), SHAPE),
    "10e-1": (sub(FIRST, b'"format": 10e-1'), SHAPE),
    "1e999": (sub(FIRST, b'"format": 1e999'), SHAPE),
    "1e-999": (sub(FIRST, b'"format": 1e-999'), SHAPE),
    "-0": (sub(FIRST, b'"format": -0'), SHAPE),
    "5000 digits": (sub(FIRST, b'"format": ' + b"9" * 5000), SHAPE),
    "a million digits": (sub(FIRST, b'"format": ' + b"1" * 1_000_000), SHAPE),
    "a million places": (sub(FIRST, b'"format": 1.' + b"0" * 1_000_000), SHAPE),
    "a huge exponent": (sub(FIRST, b'"format": 1e' + b"9" * 5000), SHAPE),
    "a huge string": (sub(FIRST, b'"format": "' + b"x" * 1_000_000 + b'"'), SHAPE),
    "a huge name": (sub(FIRST, b'"' + b"x" * 1_000_000 + b'": 1'), SHAPE),
    "a million escapes": (sub(FIRST, b'"format": "' + b"\\u0041" * 170_000 + b'"'), SHAPE),
    "a million members": (
        sub(FIRST, FIRST + b"".join(b',\n"m%d": 0' % each for each in range(100_000))),
        SHAPE,
    ),
    "a list of a hundred thousand": (sub(FIRST, b'"format": [' + b"0," * 100_000 + b"0]"), SHAPE),
    "deep lists": (sub(FIRST, b'"format": ' + b"[" * DEEP + b"]" * DEEP), STRICT),
    "deep objects": (sub(FIRST, b'"format": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP), STRICT),
    "deep and never closed": (lambda _: b"[" * DEEP, STRICT),
    "deep in what no schema names": (sub(FIRST, FIRST + b',\n  "x": ' + b"[" * DEEP + b"]" * DEEP), STRICT),
    "a raw line feed in a string": (sub(b'"config-claims"', b'"config-claims\n"'), STRICT),
    "a raw tab in a string": (sub(b'"config-claims"', b'"config-claims\t"'), STRICT),
    "an unknown escape": (sub(b'"config-claims"', b'"config-claims\\x"'), STRICT),
    "an escaped quotation mark": (sub(b'"config-claims"', b'"config-claims\\\'"'), STRICT),
    "an unpaired surrogate": (sub(b'"config-claims"', b'"config-claims\\ud800"'), STRICT),
    "a raw surrogate": (sub(b'"config-claims"', b'"config-claims\xed\xa0\x80"'), STRICT),
    "an overlong form": (sub(b'"config-claims"', b'"config-claims\xc0\xaf"'), STRICT),
    "Latin-1": (sub(b'"config-claims"', b'"config-claims\xe9"'), STRICT),
    "a name of a surrogate": (sub(FIRST, b'"\\ud800": 1'), STRICT),
    "an empty name": (sub(FIRST, FIRST + b',\n  "": 1'), SHAPE),
    "__proto__": (sub(FIRST, FIRST + b',\n  "__proto__": {}'), SHAPE),
    "$ref": (sub(FIRST, FIRST + b',\n  "$ref": "http://localhost/x"'), SHAPE),
    "$schema": (sub(FIRST, b'"$schema": "http://localhost/x",\n  ' + FIRST), SHAPE),
    "a name in another case": (sub(FIRST, b'"Format": 1'), SHAPE),
    "a name with a blank": (sub(FIRST, b'"format ": 1'), SHAPE),
    "a name in fullwidth letters": (sub(FIRST, '"\uff46ormat": 1'.encode()), SHAPE),
}


def spellings(lab: Lab) -> Iterator[Mutation]:
    """Write each document in another way."""
    for run, name in runs_and_documents(lab):
        for said, (spelling, which) in SPELLINGS.items():
            good = run.files[name]
            if b'"config-claims"' not in good:
                good = good.replace(b'"order-status"', b'"config-claims"')  # another contract, and so noticed
            changed = functools.partial(spelt, name, spelling, good)
            yield resealed("written otherwise", f"{name} {said}", run, FORM[name][which], changed)


def spelt(name: str, spelling: Spelling, good: bytes) -> dict[str, bytes]:
    return {name: spelling(good)}


FORMATS: tuple[Any, ...] = (0, 2, 3, 10, 999, -1, None, True, "1", "", [1], {"version": 1}, 10**18)


def formats(lab: Lab) -> Iterator[Mutation]:
    """Claim an older or a newer format: in one document, in both, and under another name."""
    for run in (lab.runs[each] for each in RUNS):
        for names in ((MANIFEST,), (RESULTS,), DOCUMENTS):
            checks = " ".join(FORM[name][1] for name in names)
            for value in FORMATS:
                changed = {name: document({**read(run, name), "format": value}) for name in names}
                yield resealed("another format", f"{' and '.join(names)} {value!r}", run, checks, changed)
            for member in ("version", "Format", "schema"):
                changed = {name: renamed(run, name, member) for name in names}
                yield resealed("another format", f"{' and '.join(names)} as {member}", run, checks, changed)


def renamed(run: GoodRun, name: str, member: str) -> bytes:
    good = read(run, name)
    return document({member if each == "format" else each: value for each, value in good.items()})
