"""`python -m leverarm.cli` is the `leverarm` command."""

from leverarm.cli import main

main()
