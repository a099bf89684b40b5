from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.message import Message

import durak_client.pb
import durak_server.pb

SERVER = Path(durak_server.pb.__file__).parent
CLIENT = Path(durak_client.pb.__file__).parent
MODULES = sorted(path.stem for path in (SERVER / "durak" / "v1").glob("*_pb2*.py"))


def sources(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*.py*")
        if path.suffix in {".py", ".pyi"}
    }


def both(module: str) -> tuple[ModuleType, ModuleType]:
    return (
        import_module(f"durak_server.pb.durak.v1.{module}"),
        import_module(f"durak_client.pb.durak.v1.{module}"),
    )


def test_both_packages_carry_the_same_code() -> None:
    assert MODULES
    assert sources(SERVER) == sources(CLIENT)


@pytest.mark.parametrize("module", MODULES)
def test_both_copies_load_in_one_process(module: str) -> None:
    ours, theirs = both(module)
    assert ours is not theirs
    if module.endswith("_pb2"):
        assert ours.DESCRIPTOR is theirs.DESCRIPTOR


def test_a_message_of_the_server_is_one_of_the_client() -> None:
    ours, theirs = both("play_service_pb2")
    message: Message = ours.GetViewRequest(match_id="m1")
    assert message == theirs.GetViewRequest(match_id="m1")
    assert theirs.GetViewRequest.FromString(message.SerializeToString()) == message


@pytest.mark.parametrize("source", sources(SERVER).items(), ids=lambda item: str(item[0]))
def test_generated_code_names_its_neighbours_relatively(source: tuple[str, str]) -> None:
    lines = source[1].splitlines()
    assert [line for line in lines if line.startswith(("from durak", "import durak"))] == []
