"""MkDocs, that says at which port it listens: asked for any port that is free, it says 0 by itself."""

from __future__ import annotations

from mkdocs.__main__ import cli
from mkdocs.livereload import LiveReloadServer


class Server(LiveReloadServer):
    def server_activate(self) -> None:
        super().server_activate()
        print(f"http://localhost:{self.server_port}/", flush=True)


if __name__ == "__main__":
    from mkdocs.commands import serve

    serve.LiveReloadServer = Server
    cli()
