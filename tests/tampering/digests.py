"""Digests in every broken form, wherever one stands, and SHA256SUMS written in every other way."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from .good_runs import INPUT_PATHS, MANIFEST, RESULTS, SUMS, GoodRun, Lab, sha256, sums_of
from .json_text import Path, at, document, dotted, paths
from .mutation import Mutation, summed
from .rules import caught_by, is_digest

RUNS = ("tiny", "exercise", "order-status", "config-claims")
ZEROS = "0" * 64


def other_digests(digest: str, data: bytes) -> dict[str, str]:
    """Return what a forger, a bug or a mistaken person may write instead of a digest."""
    half = bytes.fromhex(digest)
    return {
        "63 digits": digest[:-1],
        "65 digits": digest + "0",
        "upper case": digest.upper() if digest.upper() != digest else "A" + digest[1:],
        "a letter beyond f": "g" + digest[1:],
        "a blank before it": " " + digest,
        "a blank after it": digest + " ",
        "a blank within": digest[:32] + " " + digest[32:],
        "0x before it": "0x" + digest,
        "sha256: before it": "sha256:" + digest,
        "sha256- and base64": "sha256-" + base64.b64encode(half).decode(),
        "base64": base64.b64encode(half).decode(),
        "colons": ":".join(digest[each : each + 2] for each in range(0, 64, 2)),
        "fullwidth digits": "".join(chr(ord(each) + 0xFEE0) for each in digest),
        "digits of another script": "".join(
            chr(0x660 + int(each)) if each.isdigit() else each for each in digest
        ),
        "a zero-width space": digest + "\u200b",
        "MD5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
        "SHA-1": hashlib.sha1(data, usedforsecurity=False).hexdigest(),
        "SHA-512": hashlib.sha512(data).hexdigest(),
        "SHA-384": hashlib.sha384(data).hexdigest(),
        "SHA3-256": hashlib.sha3_256(data).hexdigest(),
        "BLAKE2s": hashlib.blake2s(data).hexdigest(),
        "SHA-256 twice": hashlib.sha256(half).hexdigest(),
        "of the empty file": sha256(b""),
        "of another file": sha256(data + b"\n"),
        "of the text with CR LF": sha256(data.replace(b"\n", b"\r\n")),
        "zeros": ZEROS,
        "turned round": digest[::-1],
        "the last digit": digest[:-1] + ("0" if digest[-1] != "0" else "1"),
        "the first digit": ("0" if digest[0] != "0" else "1") + digest[1:],
    }


def in_documents(lab: Lab) -> Iterator[Mutation]:
    """Break each digest of the manifest and the results; the sums are redone."""
    for run in (lab.runs[each] for each in RUNS):
        for name in (MANIFEST, RESULTS):
            good = json.loads(run.files[name])
            for path, digest in paths(good):
                if is_digest(digest):
                    yield from broken(run, name, path, digest)


def broken(run: GoodRun, name: str, path: Path, digest: str) -> Iterator[Mutation]:
    data = run.files.get(str(path[-1]), digest.encode())
    forms: dict[str, Any] = {"empty": "", "null": None, "a number": 0, "a line feed after it": digest + "\n"}
    forms |= {"in a list": [digest], "in a mapping": {"sha256": digest}, **other_digests(digest, data)}
    for said, other in forms.items():
        if other == digest:  # a source of the lab is empty
            continue
        whole = json.loads(run.files[name])
        at(whole, path[:-1])[path[-1]] = other
        check = caught_by(name, path, other)
        if name == RESULTS:  # the manifest binds the results as they were
            check += " A3.4"
        yield summed(
            "digest in a document", f"{name} {dotted(path)} {said}", run, check, {name: document(whole)}
        )


def in_sums(lab: Lab) -> Iterator[Mutation]:
    """Break each digest of SHA256SUMS."""
    for run in (lab.runs[each] for each in RUNS):
        lines = run.files[SUMS].decode().splitlines()
        for number, line in enumerate(lines):
            digest, path = line[:64], line[66:]
            forms = {"missing": "", "null": "null", "a line feed after it": digest + "\n"}
            forms |= other_digests(digest, run.files[path])
            for said, other in forms.items():
                text = "".join(
                    f"{each}\n" for each in [*lines[:number], f"{other}  {path}", *lines[number + 1 :]]
                )
                yield Mutation(
                    family="digest in the sums",
                    name=f"{path} {said}",
                    run=run,
                    caught_by="A3.2" if is_digest(other) else "A3.1",
                    files={SUMS: text.encode()},
                )


Rewrite = Callable[[list[str]], str]


def each_line(change: Callable[[str], str]) -> Rewrite:
    return lambda lines: "".join(change(line) + "\n" for line in lines)


def plus(*more: str) -> Rewrite:
    return lambda lines: "".join(line + "\n" for line in [*lines, *more])


SUMS_FORMS: dict[str, Rewrite] = {
    "empty": lambda _: "",
    "a line feed": lambda _: "\n",
    "a blank": lambda _: " ",
    "CR LF": each_line(lambda line: line + "\r"),
    "CR": lambda lines: "\r".join(lines) + "\r",
    "no last line feed": lambda lines: "\n".join(lines),
    "an empty line at the end": plus(""),
    "an empty line at the start": lambda lines: "\n" + plus()(lines),
    "an empty line within": lambda lines: plus()([lines[0], "", *lines[1:]]),
    "a comment": lambda lines: plus()(["# sums", *lines]),
    "a comment of another kind": lambda lines: plus()(["; sums", *lines]),
    "a header of a signature": lambda lines: plus()(["-----BEGIN PGP SIGNED MESSAGE-----", "", *lines]),
    "one blank": each_line(lambda line: line.replace("  ", " ")),
    "three blanks": each_line(lambda line: line.replace("  ", "   ")),
    "a tab": each_line(lambda line: line.replace("  ", "\t")),
    "a star": each_line(lambda line: line.replace("  ", " *")),
    "a caret": each_line(lambda line: line.replace("  ", " ^")),
    "./ before the path": each_line(lambda line: line.replace("  ", "  ./")),
    "a backslash before the digest": each_line(lambda line: "\\" + line),
    "a blank before the digest": each_line(lambda line: " " + line),
    "a blank after the path": each_line(lambda line: line + " "),
    "a tab after the path": each_line(lambda line: line + "\t"),
    "a NUL after the path": each_line(lambda line: line + "\0"),
    "NUL between the lines": lambda lines: "\0".join([*lines, ""]),
    "backslashes": each_line(lambda line: line.replace("/", "\\")),
    "two slashes": each_line(lambda line: line.replace("/", "//")),
    "quoted paths": each_line(lambda line: line[:66] + '"' + line[66:] + '"'),
    "tagged lines": each_line(lambda line: f"SHA256 ({line[66:]}) = {line[:64]}"),
    "path first": each_line(lambda line: f"{line[66:]}  {line[:64]}"),
    "paths in upper case": each_line(lambda line: line[:66] + line[66:].upper()),
    "digests alone": each_line(lambda line: line[:64]),
    "paths alone": each_line(lambda line: line[66:]),
    "upper case": each_line(lambda line: line[:64].upper() + line[64:]),
    "turned round": lambda lines: plus()(lines[::-1]),
    "sorted by digest": lambda lines: plus()(sorted(lines, reverse=sorted(lines) == lines)),
    "the first two moved": lambda lines: plus()([lines[1], lines[0], *lines[2:]]),
    "all twice": lambda lines: plus()(lines * 2),
    "the last line twice": lambda lines: plus(lines[-1])(lines),
    "the last path with another digest": lambda lines: plus(ZEROS + lines[-1][64:])(lines),
    "itself": plus(f"{ZEROS}  {SUMS}"),
    "a file that is not there": plus(f"{ZEROS}  zzz"),
    "a folder": plus(f"{ZEROS}  inputs"),
    "60 files that are not there": plus(*(f"{ZEROS}  z{each:02}" for each in range(60))),
    "100 files that are not there": plus(*(f"{ZEROS}  z{each:03}" for each in range(100))),
    "a hundred thousand lines": plus(*(f"{ZEROS}  z{each:06}" for each in range(100_000))),
    "a line of ten million characters": plus("x" * 10_000_000),
    "a path of ten million characters": plus(ZEROS + "  " + "z" * 10_000_000),
    "JSON": lambda lines: json.dumps({line[66:]: line[:64] for line in lines}, indent=2) + "\n",
}
ENCODINGS = {"UTF-16": "utf-16", "UTF-32": "utf-32", "a BOM": "utf-8-sig"}


def sums_forms(lab: Lab) -> Iterator[Mutation]:
    """Write SHA256SUMS in another form, or without one of its lines."""
    for run in (lab.runs[each] for each in RUNS):
        lines = run.files[SUMS].decode().splitlines()
        forms = {said: rewrite(lines).encode() for said, rewrite in SUMS_FORMS.items()}
        forms |= {said: run.files[SUMS].decode().encode(encoding) for said, encoding in ENCODINGS.items()}
        forms |= {
            f"without {line[66:]}": "".join(f"{each}\n" for each in lines if each != line).encode()
            for line in lines
        }
        forms |= {f"only {line[66:]}": f"{line}\n".encode() for line in lines}
        forms |= {
            "bytes that are no text": run.files[SUMS] + b"\xff\xfe\n",
            "a megabyte of NUL": bytes(2**20),
        }
        for said, data in forms.items():
            yield Mutation(
                family="form of the sums", name=said, run=run, caught_by="A3.1", files={SUMS: data}
            )


def unbound(lab: Lab) -> Iterator[Mutation]:
    """Change each file and redo the sums alone: what binds manifest, inputs and results must notice."""
    for run in (lab.runs[each] for each in RUNS):
        for path in (*INPUT_PATHS, RESULTS):
            check = "A3.4" if path == RESULTS else "A3.3 A3.5"
            for said, data in {
                "a line feed more": run.files[path] + b"\n",
                "CR LF": run.files[path].replace(b"\n", b"\r\n"),
                "empty": b"",
                "a letter": run.files[path].replace(b"a", b"A", 1),
                "another file": run.files[INPUT_PATHS[0] if path != INPUT_PATHS[0] else RESULTS],
            }.items():
                if path == INPUT_PATHS[0] and said == "another file":
                    data = run.files[INPUT_PATHS[1]]
                yield summed("only the sums redone", f"{path} {said}", run, check, {path: data})
        for path in INPUT_PATHS:  # the manifest follows, and the suite digest does not
            yield half_bound(run, path)


def half_bound(run: GoodRun, path: str) -> Mutation:
    data = run.files[path] + b"# more\n"
    manifest = run.files[MANIFEST].replace(sha256(run.files[path]).encode(), sha256(data).encode())
    files = {**run.files, path: data, MANIFEST: manifest}
    return Mutation(
        family="only the sums redone",
        name=f"{path} and its digest in the manifest",
        run=run,
        caught_by="A3.5",
        files={path: data, MANIFEST: manifest, SUMS: sums_of(files)},
        sums_agree=True,
    )
