"""How every test runs.

A run repeats the last one example for example, and no example has a deadline: the machine may be
busy. `pytest --hypothesis-profile=explore` looks for new examples, and for many more.
"""

from hypothesis import settings

settings.register_profile("repeat", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("repeat")
