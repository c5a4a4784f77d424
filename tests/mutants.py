"""Why a mutant may live: module and change, to the reason. See mutation.py, which prints them."""

from __future__ import annotations

from typing import Final

SHORTCUT: Final = "the first half only spares the second, which decides alike by itself"
LONGER: Final = "no character lies between U+FFFF and U+FFFF followed by x"
RIGHT_SO_FAR: Final = "up to what was refused the text is right JSON, where such a word cannot stand"
FAULTY_ALREADY: Final = "a fault has been noted by then, and nothing that was built is used"
WINDOWS: Final = "the flag is there on Windows alone"

REASONS: Final[dict[tuple[str, str], str]] = {
    (
        "strict_json",
        (
            "len(text) if text.isascii() else len(text) + sum(map('\\uffff'.__lt__, text))"
            "  ->  len(text) + sum(map('\\uffff'.__lt__, text))"
        ),
    ): SHORTCUT,
    ("strict_json", "'\\uffff'  ->  '\\uffffx'"): LONGER,
    (
        "strict_json",
        "len(text) > max_units or units(text) > max_units  ->  units(text) > max_units",
    ): SHORTCUT,
    (
        "strict_json",
        "not text.isascii() and (lone := _SURROGATE.search(text))  ->  (lone := _SURROGATE.search(text))",
    ): SHORTCUT,
    ("strict_json", "if text.count('[') + text.count('{') > max_depth  ->  if True"): SHORTCUT,
    (
        "strict_json",
        "text.count('[') + text.count('{') > max_depth  ->  text.count('[') + text.count('{') >= max_depth",
    ): SHORTCUT,
    ("strict_json", "if '\\\\' in text  ->  if True"): SHORTCUT,
    ("strict_json", "'[{'  ->  '[{x'"): RIGHT_SO_FAR,
    ("strict_json", "']}'  ->  ']}x'"): RIGHT_SO_FAR,
    ("strict_json", "'-0123456789'  ->  '-0123456789x'"): RIGHT_SO_FAR,
    ("strict_json", "''  ->  'x'"): "it stands for what follows the last token, which is no name",
    ("strict_json", "True  ->  False"): "the two lists are of one length",
    ("strict_json", "1  ->  2"): "Python 3.13 alone reports the comma itself",
    ("strict_json", "\"Expecting ','\"  ->  \"Expecting ','x\""): "only the beginning of the message is read",
    ("strict_json", "'Extra data'  ->  'Extra datax'"): "only the beginning of the message is read",
    ("strict_json", "'something else'  ->  'something elsex'"): "json has no other message",
    ("config_claims", "if document.id  ->  if True"): FAULTY_ALREADY,
    (
        "config_claims",
        "len(text) > MAX_STRING // 2 and units(text) > MAX_STRING  ->  units(text) > MAX_STRING",
    ): SHORTCUT,
    ("config_claims", "len(text) > MAX_STRING // 2  ->  len(text) >= MAX_STRING // 2"): SHORTCUT,
    ("config_claims", "2  ->  3"): SHORTCUT,
    ("order_status", "if fact.id  ->  if True"): FAULTY_ALREADY,
    (
        "order_status",
        "len(text) > MAX_STRING // 2 and units(text) > MAX_STRING  ->  units(text) > MAX_STRING",
    ): SHORTCUT,
    ("order_status", "len(text) > MAX_STRING // 2  ->  len(text) >= MAX_STRING // 2"): SHORTCUT,
    ("order_status", "2  ->  3"): SHORTCUT,
    ("order_status", "False  ->  True"): "what is malformed has one outcome, refused or not",
    ("run_directory", "'O_BINARY'  ->  'O_BINARYx'"): WINDOWS,
    ("run_directory", "0  ->  1"): "O_WRONLY is 1 already",
    ("run_directory", "self.files.remove(path)  ->  pass"): "nothing of that name is left to be taken away",
}
