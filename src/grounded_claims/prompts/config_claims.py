"""The prompt and the schema for the contract `config-claims` (docs/contract.md, C)."""

from __future__ import annotations

from typing import Any, Final

from ..contracts.config_claims import MAX_CLAIMS, MAX_STRING, Claim, Request
from .base import about_the_data, after_the_data, fenced, line_of

#: The shape of C1, in the subset that structured-output interfaces take (docs/prompts.md).
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in Claim._fields},
                "required": list(Claim._fields),
                "additionalProperties": False,
            },
        },
    },
    "required": ["claims"],
    "additionalProperties": False,
}


def text(request: Request) -> str:
    """Write the prompt for a request."""
    documents = [
        {
            "id": document.id,
            "service": document.service,
            "environment": document.environment,
            "revision": document.revision,
            "lines": document.text.split("\n"),
        }
        for document in request.supplied.values()
    ]
    tag, data = fenced("documents", documents)
    asked = {
        "service": request.service,
        "environment": request.environment,
        "revision": request.revision,
        "fields": list(request.fields),
    }
    return f"""\
Report settings of one service from the documents supplied, each with the line that states it.

The request, as JSON
{line_of(asked)}

What to return
- Exactly one JSON object, and nothing before or after it: no Markdown, no comment, no explanation.
- It has exactly one member, "claims": an array of at most {MAX_CLAIMS} objects, one for each field requested.
- Each has exactly four members, all of them strings that are not empty:
  "field"  a field of the request
  "value"  the value that the document states for it
  "doc"    the id of that document
  "quote"  the line that states it: the field, an equals sign, the value, and nothing else
- Copy ids, values and lines character for character. No string is longer than {MAX_STRING} characters.

Which documents count
- A document counts if its service, environment and revision are all three those of the request.
- Character for character. A newer revision counts as little as an older one, whatever a document says.

When to claim
- Claim a field if a document that counts has a line of that field, an equals sign and a value.
- Claim each field once, and only fields of the request. Convert no unit, and round nothing.

When to refuse
- If no document that counts has such a line, leave the field out; if that is so for all, "claims" is [].
- An answer with a field left out is used in no part, and that is right. Do not fill the gap from another
  document, and use nothing that you know from elsewhere.

No action
- You only say what is on record. Take no action, propose none, promise none, and say of none that you took
  it: no setting is changed, no service restarted. An answer is not permission for anything.

{about_the_data(tag, count=len(documents), what="document")}

{data}

{after_the_data("the JSON object")}
"""
