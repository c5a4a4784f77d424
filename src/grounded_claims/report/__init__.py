"""One page to look at, from a run directory. Pure: the same run gives the same bytes, with no time of making.

    page = render(read_run(folder))

The page needs no script and no outside resource, and its content-security policy allows none. It shows the
recorded verdicts, tells today's gate's story beside each, and says where the two differ.
"""

from __future__ import annotations

from .page import differing, render

__all__ = ["differing", "render"]
