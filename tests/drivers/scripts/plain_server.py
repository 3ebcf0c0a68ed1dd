"""A server that answers 502 to everything, with the habit that HABIT names; its processes note themselves in PIDS."""

import os
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        if HABIT == "dies when it is asked":
            os._exit(3)
        if "never answers" in HABIT:
            wait()
        body = b'{"error": "no"}'
        self.send_response(502)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        print("asked for", self.path, flush=True)


def note(name: object) -> None:
    if "PIDS" in os.environ:
        Path(os.environ["PIDS"], str(name)).touch()


def wait() -> None:
    """Say that it has come to this, and go no further."""
    note("waits")
    while True:
        signal.pause()


HABIT = os.environ.get("HABIT", "")
PORT = int(os.environ["PORT"])
note(os.getpid())
print("a word of the server", flush=True)
match HABIT:
    case "ends at once":
        sys.exit("no database")
    case "ends without a key" if not os.environ["LLM_API_KEY"]:
        sys.exit("LLM_API_KEY is not set")
    case "never listens":
        wait()
    case "listens later":
        signal.pause()
    case "listens elsewhere":
        PORT = 0
    case "ignores TERM" | "ignores TERM, and never answers":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        note(subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]).pid)

server = HTTPServer(("127.0.0.1", PORT), Handler)
if HABIT == "listens elsewhere":
    print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
