"""Does a Ray cluster answer at an address? Ray itself takes minutes to say no."""

import os
import socket
from urllib.parse import urlsplit

from neuralexec.errors import InputError

CONNECT_SECONDS = 5.0
LOCAL = "local"
AUTO = "auto"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""How every gRPC connection begins: the preface of HTTP/2 and an empty frame of settings."""
_SETTINGS = 4


def resolve(address: str) -> str:
    """The address to give to Ray, once something that could be Ray has answered there."""
    if address == AUTO:
        address = os.environ.get("RAY_ADDRESS") or AUTO
    if address not in (AUTO, LOCAL):
        _require_answer(address)
    return address


def _require_answer(address: str) -> None:
    host, port = _split(address)
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS) as connection:
            connection.settimeout(CONNECT_SECONDS)
            speaks_grpc = os.environ.get("RAY_USE_TLS", "0") != "0" or _greet(connection)
    except OSError as error:
        raise InputError(
            f"no Ray cluster answers at {address} ({error}); start one with `ray start --head`, "
            "or check the address"
        ) from None
    if not speaks_grpc:
        raise InputError(
            f"what answers at {address} is not a Ray cluster; its usual ports are 6379, "
            "and 10001 with ray://"
        )


def _split(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        if parts.scheme in ("", "ray") and parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:  # a port that is no number
        pass
    raise InputError(
        f"{address!r} is no Ray address; give auto, local, host:port or ray://host:port"
    )


def _greet(connection: socket.socket) -> bool:
    try:
        connection.sendall(_GREETING)
        answer = connection.recv(9)
    except OSError:
        return False
    return len(answer) > 3 and answer[3] == _SETTINGS
