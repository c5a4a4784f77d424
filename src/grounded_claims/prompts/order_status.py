"""The prompt and the schema for the contract `order-status` (docs/contract.md, O)."""

from __future__ import annotations

from typing import Any, Final

from ..contracts.order_status import ANSWERED, MAX_EVIDENCE, MAX_STRING, UNKNOWN, Request
from .base import about_the_data, after_the_data, fenced, line_of

#: The shape of O1, in the subset that structured-output interfaces take (docs/prompts.md).
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": [ANSWERED, UNKNOWN]},
        "order_id": {"type": "string"},
        "answer": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "evidence": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["status", "order_id", "answer", "evidence"],
    "additionalProperties": False,
}

_ANY_REVISION: Final = "- The request names no revision, so the revision of a fact does not matter."
_ONE_REVISION: Final = """\
- The request names a revision. A fact of any other revision, or of none, does not count: not as support, and
  not as a contradiction."""


def text(request: Request) -> str:
    """Write the prompt for a request."""
    facts = [
        {
            "id": fact.id,
            "order_id": fact.order_id,
            "field": fact.field,
            "revision": fact.revision,
            "value": fact.value,
            "text": fact.text,
        }
        for fact in request.supplied.values()
    ]
    tag, data = fenced("facts", facts)
    asked = {"order_id": request.order_id, "field": request.field, "revision": request.revision}
    return f"""\
Answer one question about one order from the facts supplied, or say that the answer is not known.

The request, as JSON
{line_of(asked)}

What to return
- Exactly one JSON object, and nothing before or after it: no Markdown, no comment, no explanation.
- It has exactly four members:
  "status"    "{ANSWERED}" or "{UNKNOWN}"
  "order_id"  the order_id of the request
  "answer"    the value of the facts that count; null for "{UNKNOWN}"
  "evidence"  an array of ids of facts that count, each once, at most {MAX_EVIDENCE}; [] for "{UNKNOWN}"
- Copy ids and values character for character. No string is longer than {MAX_STRING} characters.

Which facts count
- A fact counts if its order_id and its field are those of the request and its value is not null.
- Character for character: capitals, spaces, and letters that only look alike make another order or field.
{_ANY_REVISION if request.revision is None else _ONE_REVISION}

When to answer
- If the facts that count state one value, answer with that value and cite at least one of those facts.
- Cite no other fact. If one value is stated, do not refuse.

When to refuse
- If no fact counts, or if those that count state different values, the status is "{UNKNOWN}".
- Do not choose between values: not the later one, not the one stated more often. A person will.
- Do not infer: that an order was sent does not say when it arrives. Use nothing that you know from elsewhere.

No action
- You only say what is on record. Take no action, propose none, promise none, and say of none that you took
  it: no cancellation, refund, message or call. An answer is not permission for anything.

{about_the_data(tag, count=len(facts), what="fact")}

{data}

{after_the_data("the JSON object")}
"""
