"""Small exercises that load without a fault; tests put one defect into a copy of one."""

from __future__ import annotations

from pathlib import Path

SUITE = """\
suite: my-exercise
contract: config-claims
title: One value changed
groups:
  accepted:
    description: The answer is right.
    effect: None.
  value:
    description: The value is another than the quoted one.
    effect: The application uses the wrong value.
"""

REGISTRY = """\
documents:
  - id: prod-v2
    service: payments
    environment: prod
    revision: v2
    facts:
      read_timeout_ms: '5000'
      retry_enabled: 'false'
    text: |
      read_timeout_ms=5000
      retry_enabled=false
  - id: prod-v1
    service: payments
    environment: prod
    revision: v1
    facts:
      read_timeout_ms: '2000'
    text: |
      read_timeout_ms=2000
"""

ANSWER = (
    '{"claims":[{"field":"read_timeout_ms","value":"5000","doc":"prod-v2","quote":"read_timeout_ms=5000"}]}'
)
WRONG = ANSWER.replace('"value":"5000"', '"value":"2000"')

CASES = f"""\
requests:
  timeout:
    service: payments
    environment: prod
    revision: v2
    fields: [read_timeout_ms]
    supplied: [prod-v2, prod-v1]
cases:
  - id: right
    group: accepted
    note: The plain answer.
    request: timeout
    candidate: '{ANSWER}'
    expected: ACCEPT
  - id: wrong-value
    group: value
    note: Only the value is another.
    request: timeout
    candidate: '{WRONG}'
    expected: VALUE_MISMATCH
    pair: right
    prediction:
      citation_exists: pass
      full_contract: VALUE_MISMATCH
"""

FILES = {"suite.yaml": SUITE, "registry.yaml": REGISTRY, "cases.yaml": CASES}


#: The same for the contract order-status.
ORDERS = {
    "suite.yaml": SUITE.replace("contract: config-claims", "contract: order-status"),
    "registry.yaml": """\
facts:
  - id: F1
    order_id: A-1
    field: status
    revision: null
    value: shipped
    text: A-1 is shipped.
  - id: F2
    order_id: A-1
    field: delivery_date
    revision: r2
    value: null
    text: No date.
""",
    "cases.yaml": """\
requests:
  status:
    order_id: A-1
    field: status
    revision: null
    supplied: [F1, F2]
cases:
  - id: right
    group: accepted
    note: The plain answer.
    request: status
    candidate: '{"status":"answered","order_id":"A-1","answer":"shipped","evidence":["F1"]}'
    expected: ACCEPT
  - id: wrong
    group: value
    note: Another answer.
    request: status
    candidate: '{"status":"answered","order_id":"A-1","answer":"lost","evidence":["F1"]}'
    expected: ANSWER_MISMATCH
    pair: right
""",
}


def edited(name: str, old: str, new: str) -> dict[str, bytes]:
    """Return the files with one edit, which must apply exactly once."""
    assert FILES[name].count(old) == 1, (name, old)
    return {
        **{key: text.encode() for key, text in FILES.items()},
        name: FILES[name].replace(old, new).encode(),
    }


def write(folder: Path, files: dict[str, bytes] | None = None) -> Path:
    """Write the files of a suite, by default the small exercise, into a new folder."""
    folder.mkdir()
    for name, data in (edited("suite.yaml", SUITE, SUITE) if files is None else files).items():
        (folder / name).write_bytes(data)
    return folder
