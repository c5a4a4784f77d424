"""Why a mutant may live: module, line and change, to the reason. See mutation.py, which prints them.

No input tells any of these from the program, on this system and this Python.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

from typing import Final

SHORTCUT: Final = "the first half only spares the second, which decides alike by itself"
LONGER: Final = "no character lies between U+FFFF and U+FFFF followed by x"
AT_THE_END: Final = "what the end of the text adds stands behind the value that is returned"
WITHOUT_CLAIMS: Final = "without claims the only other violation is INCOMPLETE, of layer 3 and of no claim"
THE_LAST: Final = "no other violation is of a place behind the claims, so that this one comes last anyway"
CITING_REFUSAL: Final = "a refusal that cites anything is decided by O3.2, before this rule"
FOR_TYPES: Final = "where no fault has been noted there is one; the type checker asks for the other"
FAULTY_ALREADY: Final = "a fault has been noted by then, and nothing that was built is used"

Lines = dict[str, dict[str, str]]
LIVING: Final[dict[str, Lines]] = {
    "strict_json": {
        'return len(text) if text.isascii() else len(text) + sum(map("\\uffff".__lt__, text))': {
            "len(text) if text.isascii() else len(text) + sum(map('\\uffff'.__lt__, text))  ->  len(text) + sum(map('\\uffff'.__lt__, text))": SHORTCUT,
            "'\\uffff'  ->  '\\uffffx'": LONGER,
        },
        'counts = accumulate(1 if char <= "\\uffff" else 2 for char in text)': {
            "'\\uffff'  ->  '\\uffffx'": LONGER,
        },
        "return len(text) > limit or (len(text) > limit // 2 and units(text) > limit)": {
            "len(text) > limit or (len(text) > limit // 2 and units(text) > limit)  ->  len(text) > limit // 2 and units(text) > limit": SHORTCUT,
            "len(text) > limit // 2 and units(text) > limit  ->  units(text) > limit": SHORTCUT,
            "len(text) > limit // 2  ->  len(text) >= limit // 2": SHORTCUT,
            "2  ->  3": SHORTCUT,
        },
        "if not text.isascii() and (lone := _SURROGATE.search(text)):  # J2": {
            "not text.isascii() and (lone := _SURROGATE.search(text))  ->  (lone := _SURROGATE.search(text))": SHORTCUT,
        },
        'if text.count("[") + text.count("{") > max_depth:  # J7': {
            "if text.count('[') + text.count('{') > max_depth  ->  if True": SHORTCUT,
            "text.count('[') + text.count('{') > max_depth  ->  text.count('[') + text.count('{') >= max_depth": SHORTCUT,
        },
        'if "\\\\" in text:  # J4, J6': {
            "if '\\\\' in text  ->  if True": SHORTCUT,
        },
        'if rest[:1] == "," and rest[1:].lstrip(_SPACE)[:1] in ("]", "}"):': {
            "1  ->  2": "Python 3.13 alone reports the comma itself",
        },
        'wanted = next((what for start, what in _WANTED if error.msg.startswith(start)), "something else")': {
            "'something else'  ->  'something elsex'": "json has no other message",
        },
    },
    "audit-judging": {
        'return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2': {
            "len(text) if text.isascii() else len(text.encode('utf-16-le', 'surrogatepass')) // 2  ->  len(text.encode('utf-16-le', 'surrogatepass')) // 2": SHORTCUT,
        },
        "if SURROGATE.search(value):": {
            "if SURROGATE.search(value)  ->  if True": "what holds no surrogate comes back as it was",
        },
        'position, kind = 0, ""': {"''  ->  'x'": "the loop begins with any word but 'end'"},
        'name, may = "", VALUE': {"''  ->  'x'": "a name is read before it is used"},
        'if kind == "$":': {"if kind == '$'  ->  if False": AT_THE_END, "'$'  ->  '$x'": AT_THE_END},
        "continue": {"continue  ->  pass": AT_THE_END},
        "return root[0]": {"0  ->  -1": "a right text gives one value"},
        'violations = [] if claims else [(2, 0, 0, "NO_CITATION")]  # C2.1': {
            "2  ->  1": WITHOUT_CLAIMS,
            "0  ->  1": WITHOUT_CLAIMS,
            "0  ->  -1": WITHOUT_CLAIMS,
        },
        'name, may = value, ":"': {"':'  ->  ':x'": "no token is called x"},
        'violations.append((3, len(claims), 0, "INCOMPLETE"))  # C3.7: after all claims': {
            "3  ->  4": THE_LAST,
            "0  ->  1": THE_LAST,
            "0  ->  -1": THE_LAST,
        },
        '"REPEATED_EVIDENCE": answered and len(cited) < len(evidence),  # O3.4': {
            "answered and len(cited) < len(evidence)  ->  len(cited) < len(evidence)": CITING_REFUSAL,
        },
        '"EVIDENCE_OUT_OF_SCOPE": answered and not cited <= scoped,  # O3.7': {
            "answered and (not cited <= scoped)  ->  not cited <= scoped": CITING_REFUSAL,
        },
        '"STALE_EVIDENCE": answered and not cited <= current,  # O3.8': {
            "answered and (not cited <= current)  ->  not cited <= current": CITING_REFUSAL,
        },
    },
    "audit-checks": {
        "pinned = suite.pinned_totals or {}  # read_suite has required them": {
            "suite.pinned_totals or {}  ->  suite.pinned_totals": "a frozen suite has them; the type checker asks for the other",
        },
    },
    "suite": {
        "if faults or head.contract is None:": {"faults or head.contract is None  ->  faults": FOR_TYPES},
        "groups=MappingProxyType(dict(head.groups or {})),": {
            "head.groups or {}  ->  head.groups": FOR_TYPES
        },
        "requests=MappingProxyType(dict(requests or {})),": {"requests or {}  ->  requests": FOR_TYPES},
        "yield from sorted(found, key=lambda fault: fault.line or 0)": {
            "fault.line or 0  ->  fault.line": FOR_TYPES,
            "0  ->  1": FOR_TYPES,
            "0  ->  -1": FOR_TYPES,
        },
        'return _Head(name="", title="", contract=None, groups=None, pinned_totals=None)': {
            "''  ->  'x'": FAULTY_ALREADY,
        },
    },
    "config_claims": {
        "if document.id:": {"if document.id  ->  if True": FAULTY_ALREADY},
    },
    "order_status": {
        "if fact.id:": {"if fact.id  ->  if True": FAULTY_ALREADY},
        "_MALFORMED: Final = _REJECTIONS[INVALID_JSON, False]": {
            "False  ->  True": "what is malformed has one outcome, refused or not",
        },
    },
    "cases": {
        'return ""': {"''  ->  'x'": FAULTY_ALREADY},
        "if isinstance(value, str) and value in contract.statuses and value not in rejects:": {
            "isinstance(value, str) and value in contract.statuses and (value not in rejects)  ->  value in contract.statuses and value not in rejects": "what is no text equals no status",
        },
    },
    "run_directory": {
        'handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)': {
            "'O_BINARY'  ->  'O_BINARYx'": "the flag is there on Windows alone",
            "0  ->  1": "O_WRONLY is 1 already",
        },
        "self.files.remove(path)": {
            "self.files.remove(path)  ->  pass": "nothing of that name is left to be taken away",
        },
    },
}

REASONS: Final = {
    (module, line, change): reason
    for module, lines in LIVING.items()
    for line, changes in lines.items()
    for change, reason in changes.items()
}
