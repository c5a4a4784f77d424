"""Names that are listed and should not be: paths that leave, devices, twins; in the sums and in the manifest.

No such name may be opened. One that is not sane is caught by A1.5; one that is merely foreign by what lists it.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

from collections.abc import Iterator

from .good_runs import MANIFEST, SUMS, GoodRun, Lab
from .json_text import document
from .mutation import Mutation, summed

#: Names that are not sane on some system, wherever they are listed.
INSANE = (
    "..", ".", "../results.json", "../run/results.json", "../run-evil/results.json", "../runevil/results.json",
    "inputs/../../secret", "inputs/../results.json", "inputs/./cases.yaml", "./results.json", "a/..", "a/../b", "../../../../etc/passwd",
    "/etc/passwd", "/", "//server/share", "/dev/stdin", "/proc/self/environ", "C:\\x", "C:x", "C:/x", "c:results.json",
    "\\\\server\\share", "\\\\?\\C:\\x", "..\\..\\x", "inputs\\cases.yaml", "file:///etc/passwd", "http://localhost/x", "results.json:stream",
    "results.json::$DATA", "~", "~/x", "~root/.profile", "results.json\0.txt", "\0", "a\0b", "a\tb", "\x1b[2J", "\x7f", "a\rb",
    "con", "CON", "nul", "NUL.txt", "inputs/aux", "com1", "lpt9.log", "CONIN$", "results.json.", "results.json ", " results.json",
    "\u00a0results.json", "caf\u00e9", "cafe\u0301", "\U0001f600", "re\u0455ults.json", "results.json\u200b", "\u202enosj", "\ufeffresults.json",
    "\u2024\u2024/x", "\uff0e\uff0e/x", "a\u2028b", "a\u2215b", "...", "x/.../y.", "results.json\x0b", "results.json\u3000",
)  # fmt: skip
#: Names that could be a file of this directory or another one, and are of neither list.
FOREIGN = (
    "results", "results.json.bak", "results_json", "input/cases.yaml", "inputs", "inputs/", "inputs/cases.yml", "cases.yaml",
    "SHA256SUMS", "manifest.json.sig", "a", "-", "--help", "-rf", "*", "?", "$HOME", "$(id)", "`id`", ";id", "|id", "&", "%2e%2e/x",
    "a b", "run-evil/results.json", "x" * 4096, "/".join("a" * 2000),
)  # fmt: skip
TWINS = {
    "Results.json": "results.json",
    "INPUTS/CASES.YAML": "inputs/cases.yaml",
    "Manifest.json": "manifest.json",
}


def in_sums(lab: Lab) -> Iterator[Mutation]:
    """List a name in SHA256SUMS: instead of another, and besides."""
    run = lab.runs["tiny"]
    lines = run.files[SUMS].decode().splitlines()
    for name in (*INSANE, *FOREIGN):
        check = "A1.5 A3.1" if name in INSANE else "A3.1"
        for said, made in {
            "instead": [*lines[:-1], lines[-1][:66] + name],
            "besides": sorted([*lines, lines[-1][:66] + name], key=lambda line: line[66:]),
        }.items():
            text = "".join(f"{line}\n" for line in made)
            yield listing(run, f"{SUMS} {name[:60]!a} {len(name)} {said}", check, text)
    for twin, name in TWINS.items():
        digest = next(line[:66] for line in lines if line[66:] == name)
        text = "".join(f"{line}\n" for line in sorted([*lines, digest + twin], key=lambda line: line[66:]))
        yield listing(run, f"{SUMS} twin {twin}", "A1.5 A3.1", text)
    composed = "".join(f"{line}\n" for line in [*lines, lines[0][:66] + "\u00e9", lines[0][:66] + "e\u0301"])
    yield listing(run, f"{SUMS} composed and decomposed", "A1.5 A3.1", composed)


def listing(run: GoodRun, name: str, caught_by: str, text: str) -> Mutation:
    return Mutation(
        family="name in the sums",
        name=name,
        run=run,
        caught_by=caught_by,
        files={SUMS: text.encode("utf-8", "surrogatepass")},
    )


def in_manifest(lab: Lab) -> Iterator[Mutation]:
    """List a name in the manifest: among the sources, the inputs and the outputs."""
    run = lab.runs["tiny"]
    for name in (*INSANE, *FOREIGN, *TWINS):
        for member in ("sources", "inputs", "outputs"):
            for how in ("instead", "besides"):
                manifest = run.manifest()
                listed = manifest[member]
                first = next(iter(listed))
                digest = listed.pop(first) if how == "instead" else listed[first]
                listed[name] = digest
                manifest[member] = dict(sorted(listed.items()))
                label = f"{member} {name[:60]!a} {len(name)} {how}"
                checks = "A1.5 " if name in INSANE else ""
                checks += "A2.2" if member != "sources" else "A2.2|A5.1|A5.2"
                if name in TWINS and how == "besides" and TWINS[name] in listed:
                    checks += " A1.5"
                yield summed(
                    "name in the manifest", f"manifest {label}", run, checks, {MANIFEST: document(manifest)}
                )
