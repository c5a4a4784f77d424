"""Judging logged answers, a row each, by the million: docs/scale.md.

rows.py         one row to a verdict row, by the contract itself: the readable statement
fast_rows.py    the same rows by typed decoding, as far as it can prove them (the extra `fast`)
judges.py       which of the two judges a suite
lines.py        input to chunks of whole lines
tally.py        what is counted, and the summary
workers.py      worker processes, for more than one core
progress.py     how far it has come, on a terminal
batch.py        all of that put together
parts.py        one file to one part of a folder
cluster.py      many files on a Dask cluster (the extra `dask`)
"""
