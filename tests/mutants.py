"""Why a mutant may live: module, line and change, to the reason. See mutation.py, which prints them.

No input tells any of these from the program, on this system and this Python.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

from typing import Final

SHORTCUT: Final = "the first half only spares the second, which decides alike by itself"
LONGER: Final = "no character lies between U+FFFF and U+FFFF followed by x"
RIGHT_SO_FAR: Final = "up to what was refused the text is right JSON, where such a word cannot stand"
BEGINNING: Final = "only the beginning of the message is read"
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
        'if word in "[{":': {"'[{'  ->  '[{x'": RIGHT_SO_FAR},
        'elif word in "]}":': {"']}'  ->  ']}x'": RIGHT_SO_FAR},
        """elif word[0] == '"' and after == ":":""": {
            "0  ->  -1": "a string of a right text ends with the character that it begins with",
        },
        'following = [*(token[0] for token in tokens[1:]), ""]': {
            "''  ->  'x'": "it stands for what follows the last token, which is no name",
        },
        "return next(found for pair in zip(tokens, following, strict=True) if (found := fault(*pair)))": {
            "True  ->  False": "the two lists are of one length",
        },
        'at = next(at for at, word in enumerate(words) if word[0] in "-0123456789" and not word.isascii())': {
            "'-0123456789'  ->  '-0123456789x'": RIGHT_SO_FAR,
        },
        """return json.JSONDecodeError("Expecting ','" if at else "Extra data", text, end)  # a bracket comes first""": {
            "\"Expecting ','\"  ->  \"Expecting ','x\"": BEGINNING,
            "'Extra data'  ->  'Extra datax'": BEGINNING,
        },
        'if rest[:1] == "," and rest[1:].lstrip(_SPACE)[:1] in ("]", "}"):': {
            "1  ->  2": "Python 3.13 alone reports the comma itself",
        },
        'wanted = next((what for start, what in _WANTED if error.msg.startswith(start)), "something else")': {
            "'something else'  ->  'something elsex'": "json has no other message",
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
