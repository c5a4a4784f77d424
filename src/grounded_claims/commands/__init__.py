"""The commands of `python -m grounded_claims`, one module each, imported only when asked for.

A command module has `HELP`, `add_arguments(parser)` and `run(arguments) -> exit code`.
"""
