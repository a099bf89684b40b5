from pathlib import Path

import pytest

from scripts.gen_protos import with_relative_imports

IMPORTS = [
    # in the package   the compiler wrote                               becomes
    ("durak/v1", "from durak.v1 import card_pb2 as c", "from . import card_pb2 as c"),
    ("durak/v2", "from durak.v1 import card_pb2 as c", "from ...durak.v1 import card_pb2 as c"),
    ("durak/v1", "from google.rpc import code_pb2 as c", "from google.rpc import code_pb2 as c"),
    ("durak/v1", "# from durak.v1 import card_pb2", "# from durak.v1 import card_pb2"),
]


@pytest.mark.parametrize(("package", "written", "becomes"), IMPORTS)
def test_imports_of_our_own_code_become_relative(package: str, written: str, becomes: str) -> None:
    source = f"import grpc\n{written}\nclass A: ...\n"
    expected = f"import grpc\n{becomes}\nclass A: ...\n"
    assert with_relative_imports(source, Path(package)) == expected


def test_an_import_in_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"import durak\.v1\.card_pb2"):
        with_relative_imports("import durak.v1.card_pb2\n", Path("durak/v1"))
