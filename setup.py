"""Builds the rules engine as machine code where DURAK_COMPILE=1 asks for it.

Without it, as by a plain `pip install`, no compiler is needed. pyproject.toml says all the rest.
"""

import os

from setuptools import setup

# What a move runs through. The files left out define values and texts: compiled they gain nothing,
# and frozen dataclasses with slots are beyond mypyc.
COMPILED = (
    "actions",
    "at_random",
    "cards",
    "deal",
    "effects",
    "law",
    "legal",
    "moves",
    "outcome",
    "play",
    "position",
    "ranks",
    "refill",
    "seating",
    "settle",
    "simulate",
    "transfers",
)


if os.environ.get("DURAK_COMPILE") == "1":
    from mypyc.build import mypycify

    # The project's own mypy settings are about checking, not about building.
    sources = [f"server/durak_server/rules/{name}.py" for name in COMPILED]
    built = mypycify(["--config-file=", *sources], opt_level="3", debug_level="0")
    for extension in built:
        # The functions call each other: nobody else is to come between.
        extension.extra_compile_args += [
            "-fno-semantic-interposition",
            "-fvisibility=hidden",
            "-fno-plt",
        ]
    setup(ext_modules=built)  # type: ignore[arg-type]  # the stubs give one class two names
else:
    setup()
