"""Mistakes that students make, each with the whole message it gets: file, line, key, found, expected, mend.

Each row is one small edit of one valid exercise. All faults are asserted and not only the first, so that a
mistake that is reported twice, or that hides another, shows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_suite import ANSWER, FILES, edited, write

from grounded_claims import places
from grounded_claims.errors import SuiteError, UsageError
from grounded_claims.suite import find_suite, known_suites, load_suite, read_pins

SUITE, REGISTRY, CASES = "suite.yaml", "registry.yaml", "cases.yaml"
RIGHT = f"candidate: '{ANSWER}'"

#: What went wrong: the file, what stood there, what the student made of it, and every fault that is reported.
MISTAKES: dict[str, tuple[str, ...]] = {
    "a misspelt contract": (
        SUITE,
        "contract: config-claims",
        "contract: config-claim",
        "suite.yaml:2: contract: 'config-claim' is not a contract; did you mean 'config-claims'?",
    ),
    "a misspelt key": (
        SUITE,
        "title:",
        "titel:",
        "suite.yaml:1: 'title' is missing; nothing is defaulted, so write it down",
        "suite.yaml:3: titel: is not known here; did you mean 'title'?",
    ),
    "a key left out": (
        SUITE,
        "title: One value changed\n",
        "",
        "suite.yaml:1: 'title' is missing; nothing is defaulted, so write it down",
    ),
    "a capital and a space in a name": (
        SUITE,
        "suite: my-exercise",
        "suite: My Exercise",
        (
            "suite.yaml:1: suite: 'My Exercise' is not the name of a suite (small letters, digits and "
            "hyphens): it must match [a-z0-9-]+"
        ),
    ),
    "an underscore in a name": (
        SUITE,
        "suite: my-exercise",
        "suite: my_exercise",
        (
            "suite.yaml:1: suite: 'my_exercise' is not the name of a suite (small letters, digits and "
            "hyphens): it must match [a-z0-9-]+"
        ),
    ),
    "a group without its effect": (
        SUITE,
        "    effect: None.\n",
        "",
        "suite.yaml:5: groups.accepted: 'effect' is missing; nothing is defaulted, so write it down",
    ),
    "an empty title": (
        SUITE,
        "title: One value changed",
        "title: ''",
        "suite.yaml:3: title: is an empty text; say something here",
    ),
    "a key with nothing after it": (
        SUITE,
        "title: One value changed",
        "title:",
        (
            "suite.yaml:3: title: nothing stands here; write the value, or indent the lines below that "
            'belong to it; null stands for none, and "" for an empty text'
        ),
    ),
    "a colon within an unquoted text": (
        SUITE,
        "title: One value changed",
        "title: Exercise 1: one value changed",
        (
            "suite.yaml:3: ': ' stands inside a text without quotation marks, as if it began another "
            "value; put the text in quotation marks"
        ),
    ),
    "a colon left out": (
        SUITE,
        "groups:",
        "groups",
        (
            "suite.yaml:4: 'groups' has no colon; a line here reads 'key: value', and a text of "
            "several lines is a | block"
        ),
    ),
    "the space after a colon left out": (
        SUITE,
        "title: One",
        "title:One",
        (
            "suite.yaml:3: 'title:One value changed' lacks the space after the colon; write 'title: "
            "One value changed'"
        ),
    ),
    "a full-width colon": (
        SUITE,
        "title: One",
        "title：One",
        "suite.yaml:3: '：' is a full-width colon; type ':' and a space",
    ),
    "a no-break space after a colon": (
        SUITE,
        "title: One",
        "title:\xa0One",
        "suite.yaml:3: '\\xa0' is a no-break space; type ' '",
    ),
    "an ideographic space as indentation": (
        SUITE,
        "    effect: None.",
        "\u3000\u3000effect: None.",
        "suite.yaml:7: '\\u3000' is a full-width space; indent the line by plain spaces",
    ),
    "a tab as indentation": (
        SUITE,
        "    effect: None.",
        "\teffect: None.",
        "suite.yaml:7: a tab stands here, and YAML takes spaces only; replace it by spaces",
    ),
    "a group not indented": (
        SUITE,
        "  accepted:",
        "accepted:",
        (
            "suite.yaml:4: groups: nothing stands here; write the value, or indent the lines below "
            'that belong to it; null stands for none, and "" for an empty text'
        ),
        (
            "suite.yaml:8: this line is indented by 2 spaces, which fits none of the lines above; give "
            "it the same indentation as its neighbours"
        ),
    ),
    "one space too few": (
        SUITE,
        "    effect: None.",
        " effect: None.",
        (
            "suite.yaml:7: this line is indented by 1 space, which fits none of the lines above; give "
            "it the same indentation as its neighbours"
        ),
    ),
    "curly quotation marks round a name": (
        SUITE,
        "suite: my-exercise",
        "suite: “my-exercise”",
        (
            "suite.yaml:1: suite: '“my-exercise”' is not the name of a suite (small letters, digits "
            "and hyphens): it must match [a-z0-9-]+; '“' is a curly quotation mark; type '\"'"
        ),
    ),
    "a total in quotation marks": (
        SUITE,
        "groups:",
        "pinned_totals: {cases: '2', strict_json: 2, citation_exists: 2, full_contract: 1}\ngroups:",
        (
            "suite.yaml:4: pinned_totals.cases: the text '2' stands where a whole number belongs, "
            "without quotation marks"
        ),
    ),
    "a total that is negative": (
        SUITE,
        "groups:",
        "pinned_totals: {cases: 2, strict_json: 2, citation_exists: 2, full_contract: -1}\ngroups:",
        "suite.yaml:4: pinned_totals.full_contract: -1 is negative; a count belongs here",
    ),
    "a total left out": (
        SUITE,
        "groups:",
        "pinned_totals: {cases: 2, strict_json: 2, full_contract: 1}\ngroups:",
        ("suite.yaml:4: pinned_totals: 'citation_exists' is missing; nothing is defaulted, so write it down"),
    ),
    "an unquoted number": (
        REGISTRY,
        "'5000'",
        "5000",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: the number 5000 stands where text "
            'belongs; put it in quotation marks: "5000"'
        ),
    ),
    "an unquoted boolean": (
        REGISTRY,
        "'false'",
        "false",
        (
            "registry.yaml:8: documents[0].facts.retry_enabled: the boolean false stands where text "
            'belongs; put it in quotation marks: "false"'
        ),
    ),
    "an unquoted number with a leading zero": (
        REGISTRY,
        "'5000'",
        "0755",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 0755 is the number 493 to YAML; put "
            'it in quotation marks: "0755"'
        ),
    ),
    "an unquoted NO": (
        REGISTRY,
        "    environment: prod\n    revision: v2",
        "    environment: NO\n    revision: v2",
        (
            "registry.yaml:4: documents[0].environment: NO is the boolean false to YAML; put it in "
            'quotation marks: "NO"'
        ),
    ),
    "an unquoted date": (
        REGISTRY,
        "revision: v2",
        "revision: 2026-01-02",
        (
            "registry.yaml:5: documents[0].revision: 2026-01-02 is a date to YAML; put it in quotation "
            'marks: "2026-01-02"'
        ),
    ),
    "an unquoted version number": (
        REGISTRY,
        "revision: v2",
        "revision: 1.10",
        (
            "registry.yaml:5: documents[0].revision: 1.10 is the number 1.1 to YAML; put it in "
            'quotation marks: "1.10"'
        ),
    ),
    "an unquoted time": (
        REGISTRY,
        "revision: v2",
        "revision: 12:30",
        (
            "registry.yaml:5: documents[0].revision: 12:30 is the number 750 to YAML; put it in "
            'quotation marks: "12:30"'
        ),
    ),
    "null for a text": (
        REGISTRY,
        "revision: v2",
        "revision: null",
        (
            "registry.yaml:5: documents[0].revision: null stands where text belongs; for the word "
            'itself write "null" in quotation marks'
        ),
    ),
    "a tilde for null": (
        REGISTRY,
        "revision: v2",
        "revision: ~",
        (
            "registry.yaml:5: documents[0].revision: ~ is null to YAML; write null for none; if the "
            'text is meant, put it in quotation marks: "~"'
        ),
    ),
    "a fact without its line": (
        REGISTRY,
        "'5000'",
        "'5001'",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5001' is not a line "
            "of this document's text; add the line to the text, or mend the fact"
        ),
    ),
    "a line with a space round the equals sign": (
        REGISTRY,
        "      read_timeout_ms=5000",
        "      read_timeout_ms = 5000",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5000' is not a line "
            "of this document's text; add the line to the text, or mend the fact"
        ),
    ),
    "a full-width equals sign": (
        REGISTRY,
        "      read_timeout_ms=5000",
        "      read_timeout_ms＝5000",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5000' is not a line "
            "of this document's text; add the line to the text, or mend the fact"
        ),
    ),
    "a document id used twice": (
        REGISTRY,
        "id: prod-v1",
        "id: prod-v2",
        (
            "registry.yaml:12: documents[1].id: 'prod-v2' is the id of an earlier document; "
            "give one of the two another id"
        ),
    ),
    "a misspelt member of a document": (
        REGISTRY,
        "    environment: prod\n    revision: v2",
        "    enviroment: prod\n    revision: v2",
        ("registry.yaml:2: documents[0]: 'environment' is missing; nothing is defaulted, so write it down"),
        "registry.yaml:4: documents[0].enviroment: is not known here; did you mean 'environment'?",
    ),
    "a field with a hyphen": (
        REGISTRY,
        "      retry_enabled: 'false'",
        "      retry-enabled: 'false'",
        (
            "registry.yaml:8: documents[0].facts.retry-enabled: 'retry-enabled' is not the name of a "
            "field: it must match [a-z][a-z0-9_]*"
        ),
    ),
    "facts as a list": (
        REGISTRY,
        "      read_timeout_ms: '2000'",
        "      - read_timeout_ms: '2000'",
        ("registry.yaml:16: documents[1].facts: a list stands where a mapping of fields to values belongs"),
    ),
    "an empty value": (
        REGISTRY,
        "'2000'",
        "''",
        "registry.yaml:17: documents[1].facts.read_timeout_ms: is an empty text; say something here",
    ),
    "a folded block": (
        REGISTRY,
        "text: |\n      read_timeout_ms=5000",
        "text: >\n      read_timeout_ms=5000",
        ("registry.yaml:9: documents[0].text: a > block joins its lines; write | to keep them as they are"),
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5000' is not a line "
            "of this document's text; add the line to the text, or mend the fact"
        ),
        (
            "registry.yaml:8: documents[0].facts.retry_enabled: 'retry_enabled=false' is not a line of "
            "this document's text; add the line to the text, or mend the fact"
        ),
    ),
    "a text of two lines without |": (
        REGISTRY,
        "text: |\n      read_timeout_ms=5000",
        "text:\n      read_timeout_ms=5000",
        (
            "registry.yaml:10: documents[0].text: the text begun here runs on to line 11; a text of "
            "several lines is a | block; if the next line is not part of it, give it the indentation "
            "of its neighbours"
        ),
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5000' is not a line "
            "of this document's text; add the line to the text, or mend the fact"
        ),
        (
            "registry.yaml:8: documents[0].facts.retry_enabled: 'retry_enabled=false' is not a line of "
            "this document's text; add the line to the text, or mend the fact"
        ),
    ),
    "a block that is not indented": (
        REGISTRY,
        "      read_timeout_ms=2000",
        "    read_timeout_ms=2000",
        (
            "registry.yaml:19: 'read_timeout_ms=2000' has no colon; a line here reads 'key: value', "
            "and a text of several lines is a | block"
        ),
    ),
    "text on the line of the |": (
        REGISTRY,
        "text: |\n      read_timeout_ms=2000",
        "text: | read_timeout_ms=2000",
        "registry.yaml:18: after | only - or + may stand; begin the text on the next line",
    ),
    "a comment behind a value": (
        REGISTRY,
        "revision: v2",
        "revision: v2  # the current one",
        (
            "registry.yaml:5: documents[0].revision: the comment '# the current one' stands behind a "
            "value; give it a line of its own; if it is part of the text, put the text in quotation "
            "marks"
        ),
    ),
    "a list without its hyphens": (
        REGISTRY,
        "  - id: prod-v2",
        "    id: prod-v2",
        (
            "registry.yaml:12: this list item does not stand below those above; give each item its "
            "hyphen, and all hyphens the same indentation"
        ),
    ),
    "a misspelt status": (
        CASES,
        "expected: ACCEPT",
        "expected: ACCPET",
        "cases.yaml:14: cases[0].expected: 'ACCPET' is not a status; did you mean 'ACCEPT'?",
    ),
    "a status in small letters": (
        CASES,
        "expected: VALUE_MISMATCH",
        "expected: value_mismatch",
        (
            "cases.yaml:20: cases[1].expected: 'value_mismatch' is not a status; did you mean "
            "'VALUE_MISMATCH'?"
        ),
    ),
    "a status with a full stop": (
        CASES,
        "expected: ACCEPT",
        "expected: ACCEPT.",
        "cases.yaml:14: cases[0].expected: 'ACCEPT.' is not a status; did you mean 'ACCEPT'?",
    ),
    "a status of the other contract": (
        CASES,
        "expected: VALUE_MISMATCH",
        "expected: ANSWER_MISMATCH",
        (
            "cases.yaml:20: cases[1].expected: 'ANSWER_MISMATCH' is not a status; did you mean "
            "'VALUE_MISMATCH'?"
        ),
    ),
    "true for a status": (
        CASES,
        "expected: ACCEPT",
        "expected: true",
        (
            "cases.yaml:14: cases[0].expected: the boolean true stands where text belongs; put it in "
            'quotation marks: "true"'
        ),
    ),
    "curly quotation marks round a status": (
        CASES,
        "expected: ACCEPT",
        "expected: “ACCEPT”",
        (
            "cases.yaml:14: cases[0].expected: '“ACCEPT”' is not a status; did you mean 'ACCEPT'?; '“' "
            "is a curly quotation mark; type '\"'"
        ),
    ),
    "a label left out": (
        CASES,
        "    expected: ACCEPT\n",
        "",
        "cases.yaml:9: cases[0]: 'expected' is missing; nothing is defaulted, so write it down",
    ),
    "a label written twice": (
        CASES,
        "    expected: ACCEPT\n",
        "    expected: ACCEPT\n    expected: INCOMPLETE\n",
        "cases.yaml:15: cases[0].expected: stands here twice, first in line 14; keep one of the two",
    ),
    "an id used twice": (
        CASES,
        "id: wrong-value",
        "id: right",
        "cases.yaml:15: cases[1].id: 'right' is the id of cases[0] in line 9 too; ids are unique",
    ),
    "an id with capitals and a space": (
        CASES,
        "id: wrong-value",
        "id: Wrong value",
        (
            "cases.yaml:15: cases[1].id: 'Wrong value' is not the id of a case (small letters, digits "
            "and hyphens): it must match [a-z0-9-]+"
        ),
    ),
    "a number as an id": (
        CASES,
        "id: wrong-value",
        "id: 2",
        (
            "cases.yaml:15: cases[1].id: the number 2 stands where text belongs; put it in quotation "
            'marks: "2"'
        ),
    ),
    "a request that does not exist": (
        CASES,
        '    request: timeout\n    candidate: \'{"claims":[{"field":"read_timeout_ms","value":"2000"',
        '    request: timeouts\n    candidate: \'{"claims":[{"field":"read_timeout_ms","value":"2000"',
        (
            "cases.yaml:18: cases[1].request: 'timeouts' is not a request of this suite; did you mean "
            "'timeout'?"
        ),
    ),
    "a group that does not exist": (
        CASES,
        "group: value",
        "group: values",
        ("cases.yaml:16: cases[1].group: 'values' is not a group of this suite; did you mean 'value'?"),
    ),
    "a note left out": (
        CASES,
        "    note: Only the value is another.\n",
        "",
        "cases.yaml:15: cases[1]: 'note' is missing; nothing is defaulted, so write it down",
    ),
    "a misspelt member of a case": (
        CASES,
        "    note: Only",
        "    notes: Only",
        "cases.yaml:15: cases[1]: 'note' is missing; nothing is defaulted, so write it down",
        "cases.yaml:17: cases[1].notes: is not known here; did you mean 'note'?",
    ),
    "a note with a number sign": (
        CASES,
        "note: Only the value is another.",
        "note: Only the value is another, see exercise #2",
        (
            "cases.yaml:17: cases[1].note: the comment '#2' stands behind a value; give it a line of "
            "its own; if it is part of the text, put the text in quotation marks"
        ),
    ),
    "a note in asterisks": (
        CASES,
        "note: Only the value is another.",
        "note: *Only* the value is another.",
        ("cases.yaml:17: aliases (*) are not taken; put the text in quotation marks, or write the value out"),
    ),
    "a note that begins with a bracket": (
        CASES,
        "note: Only the value is another.",
        "note: [draft] Only the value is another.",
        (
            "cases.yaml:17: 'Only the value is another.' stands after the value; put the whole text in "
            "quotation marks"
        ),
    ),
    "a note that begins with @": (
        CASES,
        "note: Only the value is another.",
        "note: @teacher please look",
        ("cases.yaml:17: a text without quotation marks cannot begin with '@'; put it in quotation marks"),
    ),
    "a note of two lines": (
        CASES,
        "note: Only the value is another.",
        "note: Only the value\n      is another.",
        (
            "cases.yaml:17: cases[1].note: the text begun here runs on to line 18; a text of several "
            "lines is a | block; if the next line is not part of it, give it the indentation of its "
            "neighbours"
        ),
    ),
    "a candidate as YAML structure": (
        CASES,
        RIGHT,
        "candidate: " + ANSWER,
        (
            "cases.yaml:13: cases[0].candidate: YAML structure stands where the raw text of a "
            "candidate belongs; put it in single quotation marks: '…'"
        ),
    ),
    "a candidate as YAML structure with more behind it": (
        CASES,
        RIGHT,
        "candidate: " + ANSWER + "{}",
        (
            "cases.yaml:13: more stands after the closing brace; a text such as a JSON candidate "
            "stands in single quotation marks: '{…}'"
        ),
    ),
    "a candidate without its last quotation mark": (
        CASES,
        RIGHT,
        RIGHT[:-1],
        (
            "cases.yaml:13: cases[0].candidate: the text begun here runs on to line 19; put the "
            "quotation mark ' that is missing at the end of this line; a text of several lines is a | "
            "block"
        ),
    ),
    "a candidate in double quotation marks": (
        CASES,
        RIGHT,
        'candidate: "' + ANSWER + '"',
        (
            'cases.yaml:13: the text ends at the second " and '
            '\'claims":[{"field":"read_timeout_ms","value":"5000","doc":"p…\' is left over; put the '
            "whole text in single quotation marks instead: '…'"
        ),
    ),
    "an apostrophe within single quotation marks": (
        CASES,
        "note: The plain answer.",
        "note: 'It's the plain answer.'",
        (
            "cases.yaml:11: the text ends at the second ' and \"s the plain answer.'\" is left over; "
            "within single quotation marks an apostrophe is written twice: ''"
        ),
    ),
    "a backslash within double quotation marks": (
        CASES,
        "note: The plain answer.",
        'note: "See C:\\docs."',
        (
            "cases.yaml:11: within double quotation marks \\ begins an escape, and this one is "
            "unknown; put the text in single quotation marks, where \\ is itself"
        ),
    ),
    "more behind a quoted text": (
        CASES,
        "note: The plain answer.",
        "note: 'The plain' answer.",
        (
            "cases.yaml:11: 'answer.' stands after the closing quotation mark; put the whole text "
            "inside the quotation marks"
        ),
    ),
    "a candidate left out": (
        CASES,
        RIGHT,
        "candidate:",
        (
            "cases.yaml:13: cases[0].candidate: nothing stands here; write the value, or indent the "
            'lines below that belong to it; null stands for none, and "" for an empty text'
        ),
    ),
    "an opening quotation mark left out": (
        CASES,
        RIGHT,
        RIGHT.replace("'", "", 1),
        (
            "cases.yaml:13: the quotation mark ' at the end of this line is not opened in it; "
            "put ' before '{' too, where the text begins"
        ),
    ),
    "the label changed where no other case is accepted": (
        CASES,
        "expected: ACCEPT",
        "expected: QUOTE_NOT_SUPPORTING",
        (
            "cases.yaml:9: cases[0]: 'pair' is missing; no case here is labelled ACCEPT, so there is none to "
            "name; a label says what is right for the candidate as first written: leave it, and put what you "
            "expect under prediction"
        ),
        "cases.yaml:21: cases[1].pair: 'right' is a reject itself; a pair is a case whose label is ACCEPT",
    ),
    "a reject without its pair": (
        CASES,
        "    pair: right\n",
        "",
        ("cases.yaml:15: cases[1]: 'pair' is missing; name the accepted case that this reject differs from"),
    ),
    "a pair beside the label ACCEPT": (
        CASES,
        "    expected: ACCEPT\n",
        "    expected: ACCEPT\n    pair: wrong-value\n",
        ("cases.yaml:15: cases[0].pair: stands in a case whose label is ACCEPT; only a reject has a pair"),
    ),
    "a pair that is a reject": (
        CASES,
        "pair: right",
        "pair: wrong-value",
        (
            "cases.yaml:21: cases[1].pair: 'wrong-value' is a reject itself; a pair is a case whose "
            "label is ACCEPT"
        ),
    ),
    "a pair that does not exist": (
        CASES,
        "pair: right",
        "pair: rigth",
        (
            "cases.yaml:21: cases[1].pair: 'rigth' is not a case; a pair is a case whose label is "
            "ACCEPT; did you mean 'right'?"
        ),
    ),
    "a prediction for an unknown layer": (
        CASES,
        "citation_exists: pass",
        "citation_exist: pass",
        (
            "cases.yaml:23: cases[1].prediction.citation_exist: is not known here; did you mean "
            "'citation_exists'?"
        ),
    ),
    "a prediction in other words": (
        CASES,
        "citation_exists: pass",
        "citation_exists: passes",
        (
            "cases.yaml:23: cases[1].prediction.citation_exists: 'passes' is not a prediction for this "
            "layer; did you mean 'pass'?"
        ),
    ),
    "a prediction by the status of a later layer": (
        CASES,
        "citation_exists: pass",
        "citation_exists: VALUE_MISMATCH",
        (
            "cases.yaml:23: cases[1].prediction.citation_exists: 'VALUE_MISMATCH' is no status by "
            "which this layer or one before it rejects; write pass or reject"
        ),
    ),
    "ACCEPT for a layer's pass": (
        CASES,
        "citation_exists: pass",
        "citation_exists: ACCEPT",
        (
            "cases.yaml:23: cases[1].prediction.citation_exists: 'ACCEPT' is no status by which this "
            "layer or one before it rejects; write pass"
        ),
    ),
    "a prediction of nothing": (
        CASES,
        "    prediction:\n      citation_exists: pass\n      full_contract: VALUE_MISMATCH\n",
        "    prediction: {}\n",
        "cases.yaml:22: cases[1].prediction: is empty; predict at least one layer, or take it out",
    ),
    "a line indented by one space more": (
        CASES,
        "    note: The plain answer.",
        "     note: The plain answer.",
        (
            "cases.yaml:11: this line is indented further than the one above, which has a value "
            "already; give it the same indentation as its neighbours"
        ),
    ),
    "a line indented by one space less": (
        CASES,
        "    note: The plain answer.",
        "   note: The plain answer.",
        (
            "cases.yaml:11: this line is indented by 3 spaces, which fits none of the lines above; "
            "give it the same indentation as its neighbours"
        ),
    ),
    "a list item without the space after its hyphen": (
        CASES,
        "  - id: wrong-value",
        "  -id: wrong-value",
        ("cases.yaml:15: '-id: wrong-value' lacks the space after the hyphen; write '- id: wrong-value'"),
    ),
    "list items without the spaces after their hyphens": (
        CASES,
        "[prod-v2, prod-v1]",
        "\n      -prod-v2\n      -prod-v1",
        (
            "cases.yaml:8: requests.timeout.supplied: the text begun here runs on to line 9; "
            "put a space after the hyphen of each list item"
        ),
    ),
    "one list item without the space after its hyphen": (
        CASES,
        "[prod-v2, prod-v1]",
        "\n      -prod-v2",
        (
            "cases.yaml:7: requests.timeout.supplied: the text '-prod-v2' stands where a list of document "
            "ids of the registry belongs; put a space after the hyphen of each list item"
        ),
    ),
    "a document that does not exist": (
        CASES,
        "supplied: [prod-v2, prod-v1]",
        "supplied: [prod-v2, prodv1]",
        (
            "cases.yaml:7: requests.timeout.supplied[1]: 'prodv1' is not one of the document ids of "
            "the registry; did you mean 'prod-v1'?"
        ),
    ),
    "a field that no document has": (
        CASES,
        "fields: [read_timeout_ms]",
        "fields: [read_timeout]",
        (
            "cases.yaml:6: requests.timeout.fields[0]: 'read_timeout' is not one of the fields that "
            "the registry has a fact of; did you mean 'read_timeout_ms'?"
        ),
    ),
    "a field asked for twice": (
        CASES,
        "fields: [read_timeout_ms]",
        "fields: [read_timeout_ms, read_timeout_ms]",
        ("cases.yaml:6: requests.timeout.fields[1]: 'read_timeout_ms' stands here twice; take one out"),
    ),
    "no field asked for": (
        CASES,
        "fields: [read_timeout_ms]",
        "fields: []",
        (
            "cases.yaml:6: requests.timeout.fields: is empty; at least one of the fields that the "
            "registry has a fact of belongs here"
        ),
    ),
    "one document without brackets": (
        CASES,
        "supplied: [prod-v2, prod-v1]",
        "supplied: prod-v2",
        (
            "cases.yaml:7: requests.timeout.supplied: the text 'prod-v2' stands where a list of "
            "document ids of the registry belongs"
        ),
    ),
    "a full-width comma in a list": (
        CASES,
        "supplied: [prod-v2, prod-v1]",
        "supplied: [prod-v2， prod-v1]",
        (
            "cases.yaml:7: requests.timeout.supplied[0]: 'prod-v2， prod-v1' is not one of the document "
            "ids of the registry; did you mean 'prod-v2'?; '，' is a full-width comma; type ','"
        ),
    ),
    "a bracket never closed": (
        CASES,
        "supplied: [prod-v2, prod-v1]",
        "supplied: [prod-v2, prod-v1",
        "cases.yaml:7: the bracket opened in this line is never closed; put ']' at its end",
    ),
    "two commas": (
        CASES,
        "supplied: [prod-v2, prod-v1]",
        "supplied: [prod-v2,, prod-v1]",
        "cases.yaml:7: a comma stands where a value belongs; write the value, or take the comma out",
    ),
    "a comma at the end of a line": (
        CASES,
        "note: The plain answer.",
        "note: 'The plain answer.',",
        "cases.yaml:11: a comma stands after a value; take it out, lines need none",
    ),
    "an anchor": (
        CASES,
        "note: The plain answer.",
        "note: &n The plain answer.",
        (
            "cases.yaml:11: cases[0].note: the anchor &n is not taken; take it out, or put the text in "
            "quotation marks"
        ),
    ),
    "a tag": (
        CASES,
        "note: The plain answer.",
        "note: !!str The plain answer.",
        (
            "cases.yaml:11: cases[0].note: the tag '!!str' is not taken; take it out, or put the text "
            "in quotation marks"
        ),
    ),
    "a marker between documents": (
        CASES,
        "cases:\n",
        "---\ncases:\n",
        "cases.yaml:8: a second document begins here; a file holds one, so take the line '---' out",
    ),
    "a marker at the beginning": (
        CASES,
        "requests:\n",
        "---\nrequests:\n",
        "cases.yaml:1: the marker '---' is not taken; take the line out",
    ),
    "a full-width hyphen in an id": (
        CASES,
        "pair: right",
        "pair: right－",
        (
            "cases.yaml:21: cases[1].pair: 'right－' is not a case; a pair is a case whose label is "
            "ACCEPT; did you mean 'right'?; '－' is a full-width hyphen; type '-'"
        ),
    ),
    "a corner bracket as a quotation mark": (
        CASES,
        RIGHT,
        (
            'candidate: 「{"claims": [{"field": "read_timeout_ms", "value": "5000", "doc": "prod-v2", '
            '"quote": "read_timeout_ms=5000"}]}」'
        ),
        "cases.yaml:13: '「' is a corner bracket; only a straight one (' or \") quotes a text",
    ),
}


def faults(folder: Path) -> list[str]:
    """Return every fault of a folder, with the folder itself cut away."""
    with pytest.raises(SuiteError) as caught:
        load_suite(folder)
    return str(caught.value).replace(f"{folder}/", "").split("\n")


def test_the_exercise_without_a_mistake_loads(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "exercise"))
    assert [case.id for case in suite.cases] == ["right", "wrong-value"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_the_help_it_needs(mistake: str, tmp_path: Path) -> None:
    name, old, new, *expected = MISTAKES[mistake]
    assert faults(write(tmp_path / "exercise", edited(name, old, new))) == expected


def test_the_last_opening_quotation_mark_of_a_file_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    cases = folder / CASES
    text = cases.read_text(encoding="utf-8")
    cut = text[: text.index("  - id: wrong-value")].replace("candidate: '", "candidate: ")
    cases.write_text(cut, encoding="utf-8")
    assert faults(folder) == [
        (
            "cases.yaml:13: the quotation mark ' at the end of this line is not opened in it; "
            "put ' before '{' too, where the text begins"
        )
    ]


#: What an editor or another system did to a file: file, its bytes, and every fault that is reported.
ENCODINGS: dict[str, tuple[Callable[[str], bytes], str]] = {
    "the line endings of Windows": (
        lambda text: text.replace("\n", "\r\n").encode(),
        "suite.yaml:1: the line ends in CR (and 9 more); save the file with the line ending LF, not CRLF",
    ),
    "a byte order mark": (
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        "suite.yaml:1: the file begins with a byte order mark; save it as UTF-8, not as UTF-8 with BOM",
    ),
    "UTF-16": (
        lambda text: text.encode("utf-16"),
        "suite.yaml: the file is in UTF-16; save the file as UTF-8 without a byte order mark",
    ),
    "Big5": (
        lambda text: text.replace("One value changed", "改值").encode("big5"),
        "suite.yaml:3: the byte 0xa7 is not UTF-8; save the file as UTF-8 without a byte order mark",
    ),
    "an empty file": (
        lambda text: b"",
        "suite.yaml:1: the file is empty; a mapping belongs here ('key: value' lines)",
    ),
    "JSON in place of YAML lines": (
        lambda text: b"[]\n",
        "suite.yaml:1: the file is a list; a mapping belongs here ('key: value' lines)",
    ),
    "the line break NEL": (
        lambda text: text.replace("One value", "One\x85value").encode(),
        "suite.yaml:3: the line break NEL U+0085 may not stand in a file; take it out",
    ),
}


@pytest.mark.parametrize("what", ENCODINGS)
def test_a_file_saved_in_another_way(what: str, tmp_path: Path) -> None:
    encode, expected = ENCODINGS[what]
    files = {name: text.encode() for name, text in FILES.items()} | {SUITE: encode(FILES[SUITE])}
    assert faults(write(tmp_path / "exercise", files)) == [expected]


def test_mistakes_in_all_three_files_are_reported_together(tmp_path: Path) -> None:
    files = {
        **edited(SUITE, "title: One", "titel: One"),
        REGISTRY: edited(REGISTRY, "'5000'", "5000")[REGISTRY],
        CASES: edited(CASES, "expected: ACCEPT", "expected: ACCPET")[CASES],
    }
    assert faults(write(tmp_path / "exercise", files)) == [
        "suite.yaml:1: 'title' is missing; nothing is defaulted, so write it down",
        "suite.yaml:3: titel: is not known here; did you mean 'title'?",
        (
            "registry.yaml:7: documents[0].facts.read_timeout_ms: the number 5000 stands where text belongs; "
            'put it in quotation marks: "5000"'
        ),
        "cases.yaml:14: cases[0].expected: 'ACCPET' is not a status; did you mean 'ACCEPT'?",
    ]


def test_a_file_that_cannot_be_read_does_not_blame_the_others(tmp_path: Path) -> None:
    files = edited(SUITE, "groups:", "groups")
    assert faults(write(tmp_path / "exercise", files)) == [
        (
            "suite.yaml:4: 'groups' has no colon; a line here reads 'key: value', "
            "and a text of several lines is a | block"
        ),
    ]


def test_an_empty_folder(tmp_path: Path) -> None:
    assert faults(write(tmp_path / "empty", {})) == [
        (
            f"{tmp_path}/empty: is empty; a suite has the files suite.yaml, registry.yaml, cases.yaml. "
            "To begin with a copy: cp -r fixtures/config-claims my-suite"
        )
    ]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert faults(tmp_path / "nowhere") == [f"{tmp_path}/nowhere: there is no such folder"]


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", {"Suites.yaml": b""})
    assert faults(folder) == [
        (
            f"{folder}: is not a suite; a suite has the files suite.yaml, registry.yaml, cases.yaml; "
            "did you mean 'Suites.yaml'?"
        )
    ]


def test_a_run_directory_in_place_of_a_suite(tmp_path: Path) -> None:
    run = write(tmp_path / "run", {"manifest.json": b"{}"})
    write(run / "inputs")
    assert faults(run) == [
        f"{run}: is a run directory; the suite it ran is its folder inputs: inputs",
    ]


def test_the_folder_of_all_suites_in_place_of_one(tmp_path: Path) -> None:
    both = write(tmp_path / "both", {})
    write(both / "one")
    write(both / "two")
    assert faults(both) == [f"{both}: holds suites and is none; name one of them: one or two"]


def test_a_file_in_place_of_its_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    with pytest.raises(SuiteError) as caught:
        load_suite(folder / CASES)
    assert str(caught.value) == (
        f"{folder}/cases.yaml: is one file of a suite; name the folder that holds it: {folder}"
    )


def test_another_file_in_place_of_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.touch()
    assert faults(file) == [
        f"{file}: is a file; name a folder that holds suite.yaml, registry.yaml, cases.yaml"
    ]


def test_a_file_with_another_ending(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    (folder / CASES).rename(folder / "cases.yml")
    assert faults(folder) == [
        (
            "cases.yaml: is missing; a suite has the files suite.yaml, registry.yaml, cases.yaml; "
            "did you mean 'cases.yml'?"
        )
    ]


@pytest.mark.parametrize("name", ["config-claim", "Config-Claims", "order_status", "nonsense", ""])
def test_an_unknown_suite(name: str) -> None:
    nearest = {
        "config-claim": "; did you mean 'config-claims'?",
        "Config-Claims": "; did you mean 'config-claims'?",
        "order_status": "; did you mean 'order-status'?",
    }
    with pytest.raises(UsageError) as caught:
        find_suite(name)
    known = ", ".join(known_suites())
    assert str(caught.value) == (
        f"{name!r} is neither a suite nor a folder{nearest.get(name, '')}; known suites: {known}"
    )


def checkout(folder: Path) -> Path:
    """Make a checkout whose frozen suites can be edited."""
    root = Path(__file__).parent.parent
    for name in ("src", "fixtures"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "run.py", folder)
    return folder


def lint(root: Path, name: str) -> list[str]:
    """Lint a suite with the program of a checkout, and return what is printed."""
    done = subprocess.run(
        [sys.executable, "-m", "grounded_claims", "lint", f"fixtures/{name}"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (2, "")
    return done.stdout.splitlines()


def test_editing_the_frozen_suite(tmp_path: Path) -> None:
    root = checkout(tmp_path / "checkout")
    file = root / "fixtures" / "config-claims" / SUITE
    file.write_bytes(file.read_bytes().replace(b"Settings of a service", b"My settings"))
    assert lint(root, "config-claims") == [
        (
            "fixtures/config-claims: the frozen suite 'config-claims' has been edited, and a frozen suite "
            "never changes; to keep your change, first copy the folder (cp -r fixtures/config-claims "
            "my-suite) and run with --suite my-suite; then restore the frozen one (git checkout -- "
            "fixtures/config-claims)"
        )
    ]


def test_renaming_the_frozen_suite_does_not_thaw_it(tmp_path: Path) -> None:
    root = checkout(tmp_path / "checkout")
    file = root / "fixtures" / "config-claims" / SUITE
    file.write_bytes(file.read_bytes().replace(b"suite: config-claims", b"suite: my-suite"))
    [fault] = lint(root, "config-claims")
    assert fault.startswith("fixtures/config-claims: the frozen suite 'config-claims' has been edited")


def test_a_frozen_suite_with_the_line_endings_of_windows(tmp_path: Path) -> None:
    root = checkout(tmp_path / "checkout")
    for path in (root / "fixtures" / "order-status").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    first, *rest = lint(root, "order-status")
    assert first == (
        "fixtures/order-status: the files of the frozen suite 'order-status' differ from the published ones "
        "by line endings alone; restore them (git checkout -- fixtures/order-status), with LF"
    )
    assert [fault.partition(": ")[0] for fault in rest] == [
        f"fixtures/order-status/{name}:1" for name in (SUITE, REGISTRY, CASES)
    ]


def test_an_edited_copy_elsewhere_is_an_exercise(tmp_path: Path) -> None:
    copy = shutil.copytree(places.fixtures() / "config-claims", tmp_path / "my-suite")
    assert load_suite(copy).frozen
    (copy / SUITE).write_bytes((copy / SUITE).read_bytes().replace(b"Settings of a service", b"My settings"))
    suite = load_suite(copy)
    assert not suite.frozen
    assert suite.name == "config-claims"
    assert suite.digest != read_pins()["config-claims"]


def test_there_are_enough_mistakes() -> None:
    assert len(MISTAKES) >= 40
