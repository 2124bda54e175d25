"""`python -m duelbook` is the command `duelbook`."""

from duelbook.cli import main

main(prog_name="duelbook")
