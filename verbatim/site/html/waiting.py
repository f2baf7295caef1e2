"""While serving, answers before anything can be shown: a page that says how far the work is, and loads itself again."""

from __future__ import annotations

import functools
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from verbatim.languages import Languages
from verbatim.problems import Problem, Problems
from verbatim.words import SITE

#: The header by which the page's script knows that what it asked for is not there yet.
HEADER = "X-Verbatim-Waiting"


def page(status: str, languages: Languages) -> bytes:
    """Return the page.

    Args:
        status: How far the work is.
        languages: Those of the project, in which it speaks.
    """
    return _template(languages).replace("{{ status }}", status).encode()


@functools.cache
def _template(languages: Languages) -> str:
    text = (Path(__file__).parents[1] / "templates" / "waiting.html").read_text(encoding="utf-8")
    words = "\n".join(f'<p lang="{language}">{SITE[language]["waiting"]}</p>' for language in languages.all)
    return text.replace("{{ language }}", languages.default).replace("{{ words }}", words)


class Listener:
    """Answers every request with the waiting page, until another server takes its socket.

    Args:
        host: The address to listen at.
        port: The port to listen at; 0: one that is free.
        status: Returns how far the work is.
        languages: Those of the project.

    Raises:
        Problems: another program listens there.
    """

    def __init__(self, host: str, port: int, status: Callable[[], str], languages: Languages):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                text = page(status(), languages)
                self.send_response(503)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                self.send_header("Retry-After", "1")
                self.send_header(HEADER, "1")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
            request_queue_size = 128  # requests wait here while another server takes over

        try:
            self._server = Server((host, port), Handler)
        except OSError as error:
            hint = f"end the program that listens there, or take another port: --port {port + 1}"
            message = f"cannot be served at: {error.strerror or error}"
            raise Problems([Problem(f"{host}:{port}", 0, message, hint)]) from error
        self.port: int = self._server.server_port
        """The port that it listens at."""
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def hand_over(self) -> socket.socket:
        """Stop answering. Return the socket, on which connections wait for another server."""
        self._server.shutdown()
        self._thread.join()
        return self._server.socket

    def close(self) -> None:
        """Stop listening."""
        self.hand_over()
        self._server.server_close()
