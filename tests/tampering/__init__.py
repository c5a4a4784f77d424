"""Mutations of good run directories: what a forger, a disk or an archive may do to one, and what must notice.

`good_runs` makes the runs, each family of mutations is a module with one generator for each family, `engine`
applies a mutation and audits, and `families` lists them all.
"""
