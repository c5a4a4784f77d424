"""The space of `config-claims`: every list of claims from the registry's fields, values, ids and lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from ..contracts.config_claims import Claim, ConfigClaims, Document, Request
from .space import TOKEN, Point, Space, absent, distinct


class _Atom(NamedTuple):
    """A well-formed claim, its text's length, and whether it is right by itself."""

    claim: Claim
    length: int
    right: bool


class ConfigClaimsSpace(Space):
    """Every candidate of at most so many claims."""

    rule = (
        "every requested field exactly once, with the fact's own line from a supplied document "
        "of the request's service, environment and revision"
    )
    counted = "claims"

    def __init__(
        self, contract: ConfigClaims, registry: Mapping[str, Document], request: Request, *, most: int
    ) -> None:
        self._contract, self._request, self._most = contract, request, most
        documents = registry.values()
        fields = distinct(field for document in documents for field in document.facts)
        values = distinct(value for document in documents for value in document.facts.values())
        lines = distinct(line for document in documents for line in document.text.split("\n") if line)
        self._words = (
            [*fields, absent(set(fields), "field").replace("-", "_")],
            [*values, absent(set(values), "value")],
            [*registry, absent(set(registry), "document")],
            [*lines, absent(set(lines), "line")],
        )

    @property
    def vocabulary(self) -> str:
        """Say what the vocabulary holds."""
        fields, values, documents, lines = (len(words) for words in self._words)
        return (
            f"{fields} fields, {values} values, {documents} documents and {lines} quotations, one of each "
            f"made up; and in any of their places the malformed token {TOKEN}"
        )

    @property
    def size(self) -> int:
        """Count the candidates, the malformed ones included."""
        return self._lists([len(words) + 1 for words in self._words])

    @property
    def well_formed(self) -> int:
        """Count the well-formed candidates."""
        return self._lists([len(words) for words in self._words])

    def _lists(self, sizes: list[int]) -> int:
        claims = 1
        for size in sizes:
            claims *= size
        return sum(claims**count for count in range(self._most + 1))

    def points(self) -> Iterator[Point]:
        """Judge each well-formed candidate."""
        decide, request, wanted = self._contract.decide, self._request, sorted(self._request.fields)
        atoms = [self._atom(Claim(*words)) for words in product(*self._words)]
        for count in range(self._most + 1):
            frame = len('{"claims":[]}') + max(count - 1, 0)
            for chosen in product(atoms, repeat=count):
                claims = [atom.claim for atom in chosen]
                right = all(atom.right for atom in chosen) and wanted == sorted(
                    claim.field for claim in claims
                )
                yield Point(
                    decide(claims, request), right, frame + sum([atom.length for atom in chosen]), claims
                )

    def text(self, parts: list[Claim]) -> str:
        """Write the candidate of some claims."""
        return f'{{"claims":[{",".join(_claim_text(*map(_spelt, claim)) for claim in parts)}]}}'

    def smallest_malformed(self) -> str | None:
        """Return the smallest malformed candidate: of one claim, for each further one makes it longer."""
        if self._most == 0:
            return None
        spelt = [[TOKEN, *map(_spelt, words)] for words in self._words]
        texts = (f'{{"claims":[{_claim_text(*words)}]}}' for words in product(*spelt) if TOKEN in words)
        return min(texts, key=lambda text: (len(text), text))

    def _atom(self, claim: Claim) -> _Atom:
        """Measure a claim, and hold it against the plain rule, which asks nothing of the contract."""
        document = self._request.supplied.get(claim.doc)
        right = (
            document is not None
            and (document.service, document.environment, document.revision)
            == (self._request.service, self._request.environment, self._request.revision)
            and document.facts.get(claim.field) == claim.value
            and claim.quote.split("=", 1) == [claim.field, claim.value]
        )
        return _Atom(claim, len(_claim_text(*map(_spelt, claim))), right)


def _claim_text(field: str, value: str, doc: str, quote: str) -> str:
    return f'{{"field":{field},"value":{value},"doc":{doc},"quote":{quote}}}'


def _spelt(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)
