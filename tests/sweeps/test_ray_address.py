"""An address is tried before Ray is given it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from neuralexec.errors import InputError
from neuralexec.sweeps import ray_address as module
from neuralexec.sweeps.ray_address import resolve


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """The address of something that says `answer` to the first who connects, or hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def unanswered() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RAY_ADDRESS", "RAY_USE_TLS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("address", ["auto", "local"])
def test_what_ray_finds_itself_is_left_to_it(address: str) -> None:
    assert resolve(address) == address


def test_auto_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "local")
    assert resolve("auto") == "local"
    address = unanswered()
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(InputError, match=f"no Ray cluster answers at {address}"):
        resolve("auto")
    assert resolve("local") == "local"


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_where_nothing_answers_is_refused(scheme: str) -> None:
    address = scheme + unanswered()
    with pytest.raises(InputError, match=f"no Ray cluster answers at {address} .*ray start --head"):
        resolve(address)


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"\0\0"])
def test_what_is_not_ray_is_refused(answer: bytes) -> None:
    with answering(answer) as address, pytest.raises(InputError, match="is not a Ray cluster"):
        resolve(address)


def test_silence_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match="is not a Ray cluster"):
            resolve(address)


def test_what_greets_like_ray_is_accepted() -> None:
    settings = bytes([0, 0, 6, 4, 0, 0, 0, 0, 0])
    with answering(settings) as address:
        assert resolve(f"ray://{address}") == f"ray://{address}"


def test_an_encrypted_greeting_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USE_TLS", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert resolve(address) == address


def test_a_real_cluster_is_accepted(ray_address: str) -> None:
    assert resolve(ray_address) == ray_address


@pytest.mark.parametrize(
    "address", ["", "somewhere", "somewhere:", "somewhere:port", "http://there:80", ":6379", "a:0"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is no Ray address; give auto, local, host:port or"):
        resolve(address)
