"""The built-in scenarios on Python's http.server, with the standard library alone. What ../shared has in JavaScript is repeated here."""

import base64
import gzip
import hashlib
import json
import os
import re
import signal
import sys
import threading
import time
import uuid
from collections import defaultdict, deque
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

TOKEN = "YmVuY2gtc2VjcmV0LXRva2Vu"
CLIENT_LIMIT = 10**9
RATE_LIMIT = 50
RATE_WINDOW = 10
TIME_LIMIT = 30
LONG_CHAIN = 20
ROUTE_COUNTS = (10, 100, 1000)
WORK_SIZES = (1, 10)
UNIT = bytes(32 * 1024)


class HttpError(Exception):
    def __init__(self, status, headers=()):
        super().__init__(status)
        self.status = status
        self.headers = dict(headers)


def is_text(value, least=0, most=None):
    return isinstance(value, str) and len(value) >= least and (most is None or len(value) <= most)


def is_number(value, least, most, kinds=(int, float)):
    return isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most


def has_keys(value, keys):
    return isinstance(value, dict) and value.keys() == set(keys)


EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
ZIP = re.compile(r"[0-9]{5}")


def is_address(value):
    return (
        has_keys(value, ("street", "city", "zip", "country"))
        and is_text(value["street"])
        and is_text(value["city"])
        and is_text(value["zip"])
        and ZIP.fullmatch(value["zip"]) is not None
        and value["country"] in ("CN", "US", "DE")
    )


def is_preferences(value):
    return (
        has_keys(value, ("theme", "notifications", "pageSize"))
        and value["theme"] in ("light", "dark")
        and isinstance(value["notifications"], bool)
        and is_number(value["pageSize"], 1, 100, int)
    )


PROFILE = {
    "username": lambda value: is_text(value, 3, 32),
    "email": lambda value: is_text(value) and EMAIL.fullmatch(value) is not None,
    "age": lambda value: is_number(value, 18, 120, int),
    "score": lambda value: is_number(value, 0, 100),
    "role": lambda value: value in ("user", "admin", "editor"),
    "status": lambda value: value in ("active", "inactive", "pending"),
    "active": lambda value: isinstance(value, bool),
    "tags": lambda value: isinstance(value, list) and len(value) <= 10 and all(map(is_text, value)),
    "address": is_address,
    "preferences": is_preferences,
}


def is_profile(value):
    return has_keys(value, PROFILE) and all(check(value[name]) for name, check in PROFILE.items())


def is_user(value):
    return isinstance(value, dict) and all(is_text(value.get(name), 1) for name in ("name", "email"))


def is_named(value):
    return isinstance(value, dict) and is_text(value.get("name"))


def nested_document():
    return {
        "id": 1,
        "name": "John Doe",
        "email": "john@example.com",
        "createdAt": "2026-01-15T08:00:00.000Z",
        "profile": {
            "avatar": "https://example.com/avatar.png",
            "bio": "Software Engineer",
            "location": "Shanghai, China",
        },
        "roles": ["user", "admin"],
        "metadata": {"loginCount": 42, "lastLogin": "2026-01-14T20:30:00.000Z"},
    }


def created_user(user):
    return {"id": "u_bench", **user}


def read_claims(header):
    scheme, _, token = header.partition(" ")
    parts = token.split(".")
    if scheme != "Bearer" or len(parts) != 3:
        return None
    try:
        return json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except ValueError:
        return None


log = deque(maxlen=1000)
counts = defaultdict(int)
windows = {}
windows_lock = threading.Lock()


def compute(units):
    work = hashlib.sha256()
    for _ in range(units):
        work.update(UNIT)
    return {"units": units, "result": int.from_bytes(work.digest()[:4], "big")}


def wait(milliseconds):
    time.sleep(milliseconds / 1000)
    return {"waited": milliseconds}


def response_time(started):
    return f"{(time.perf_counter() - started) * 1000:.3f}ms"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open
    wbufsize = -1  # one packet for head and body
    disable_nagle_algorithm = True

    def do_GET(self):
        self.dispatch()

    def do_POST(self):
        self.dispatch()

    def dispatch(self):
        # The next request on a connection follows the body, so the body must be read even if
        # unused.
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.extra = {}
        try:
            url = urlsplit(self.path)
            self.query = url.query
            handler, groups = find(self.command, url.path)
            handler(self, *groups)
        except HttpError as error:
            self.answer(error.status, {"error": HTTPStatus(error.status).phrase}, error.headers)
        except TimeoutError:
            self.close_connection = True

    def answer(self, status, document, headers=None):
        self.send(status, json.dumps(document).encode(), {"Content-Type": "application/json", **(headers or {})})

    def answer_text(self, text):
        self.send(200, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})

    def send(self, status, body, headers):
        self.send_response(status)
        for name, value in {**self.extra, **headers}.items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass  # nothing per request

    def authenticate(self):
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise HttpError(401)

    def read_json(self, check=None):
        try:
            document = json.loads(self.body)
        except ValueError:
            raise HttpError(400) from None
        if check is not None and not check(document):
            raise HttpError(422)
        return document

    def create_user(self):
        self.answer(201, created_user(self.read_json()))

    def create_checked_user(self):
        self.authenticate()
        self.answer(201, created_user(self.read_json(is_user)))

    def echo_name(self):
        self.answer(200, {"echo": self.read_json(is_named)["name"]})

    def validate_profile(self):
        self.read_json(is_profile)
        self.answer(200, {"valid": True})

    def answer_user(self, id):
        self.answer(200, {"id": id, "query": dict(parse_qsl(self.query))})

    def answer_auth_user(self, id):
        self.authenticate()
        self.answer(200, {"id": id})

    def answer_session(self):
        self.session = {"userId": "bench-user"}
        self.answer(200, {"ok": True})

    def answer_layers(self):
        request_id = str(uuid.uuid4())
        self.extra["X-Request-Id"] = request_id
        log.append(f"{self.command} {self.path} {request_id}")
        self.claims = read_claims(self.headers.get("Authorization", ""))
        if self.claims is None:
            raise HttpError(401)
        client = self.client_address[0]
        counts[client] += 1
        if counts[client] > CLIENT_LIMIT:
            raise HttpError(429)
        self.extra["X-Powered-By-Bench"] = "python"
        self.answer(200, {"message": "Hello, World!"})

    def answer_cached(self, id):
        body = json.dumps({"id": id, "name": "Cached User", "email": "cached@example.com"}).encode()
        etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        known = [tag.strip().removeprefix("W/") for tag in self.headers.get("If-None-Match", "").split(",")]
        if "*" in known or etag in known:
            return self.send(304, b"", {"ETag": etag})
        return self.send(200, body, {"ETag": etag, "Content-Type": "application/json"})

    def create_stack_user(self):
        self.connection.settimeout(TIME_LIMIT)
        self.extra["Access-Control-Allow-Origin"] = "*"
        self.extra["Vary"] = "Accept-Encoding"
        accepted = [kind.split(";")[0].strip() for kind in self.headers.get("Accept", "*/*").split(",")]
        if not any(kind in ("application/json", "application/*", "*/*") for kind in accepted):
            raise HttpError(406)
        self.authenticate()
        user = created_user(self.read_json(is_user))
        if "gzip" not in self.headers.get("Accept-Encoding", ""):
            return self.answer(201, user)
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        return self.send(201, gzip.compress(json.dumps(user).encode()), headers)

    def create_limited_user(self):
        client, now = self.client_address[0], time.monotonic()
        with windows_lock:
            count, ends = windows.get(client, (0, 0))
            if now >= ends:
                count, ends = 0, now + RATE_WINDOW
            windows[client] = (count + 1, ends)
        if count >= RATE_LIMIT:
            raise HttpError(429, {"Retry-After": str(int(ends - now) + 1)})
        self.create_checked_user()

    def describe_user(self, id):
        self.first = True
        self.second = True
        self.answer_text(f"User: {id}")

    def answer_chain(self, document):
        started = time.perf_counter()
        request_id = str(uuid.uuid4())
        self.extra["X-Bench-Request-Id"] = request_id
        self.credentials = self.headers.get("Authorization")
        self.extra["X-Response-Time"] = response_time(started)
        self.answer(200, document(request_id))

    def echo_name_in_session(self):
        self.session = {"userId": "bench-user"}
        self.session = {**self.session, "renewed": True}
        if not self.session.get("renewed"):
            raise HttpError(403)
        self.echo_name()

    def answer_long_chain(self):
        self.passed = 0
        for layer in LAYERS:
            layer(self)
        self.answer(200, {"passed": self.passed})

    def answer_logged(self):
        started = time.perf_counter()
        self.answer(200, {"ok": True})
        log.append(f"{self.client_address[0]} {self.log_date_time_string()} {self.command} {self.path} {response_time(started)}")


def count_passed(request):
    request.passed += 1


LAYERS = [count_passed] * LONG_CHAIN


def constant(document):
    return lambda request: request.answer(200, document)


FIXED = {
    ("GET", "/ping"): constant({"ok": True}),
    ("GET", "/json"): constant({"message": "Hello, World!"}),
    ("GET", "/json/nested"): lambda request: request.answer(200, nested_document()),
    ("POST", "/users"): Handler.create_user,
    ("POST", "/schema"): Handler.echo_name,
    ("POST", "/validate"): Handler.validate_profile,
    ("POST", "/auth/users"): Handler.create_checked_user,
    ("GET", "/middleware"): Handler.answer_session,
    ("GET", "/middleware-5"): Handler.answer_layers,
    ("POST", "/stack/auth/users"): Handler.create_stack_user,
    ("POST", "/rate-limited/users"): Handler.create_limited_user,
    ("GET", "/"): lambda request: request.answer_text("Hello, World!"),
    ("GET", "/favicon.ico"): lambda request: request.send(204, b"", {}),
    ("GET", "/middleware-chain"): lambda request: request.answer_chain(
        lambda _: {"message": "Middleware chain complete", "authenticated": True}
    ),
    ("GET", "/chain"): lambda request: request.answer_chain(
        lambda request_id: {"message": "Chain complete", "requestId": request_id, "authenticated": True}
    ),
    ("POST", "/full"): Handler.echo_name_in_session,
    ("GET", "/serialise"): lambda request: request.answer(200, nested_document()),
    ("GET", "/middleware-0"): constant({"passed": 0}),
    ("GET", "/middleware-20"): Handler.answer_long_chain,
    ("GET", "/logging"): Handler.answer_logged,
    ("GET", "/logged"): lambda request: request.answer(200, {"logged": any("/logging" in line for line in log)}),
}
for size in WORK_SIZES:
    FIXED["GET", f"/cpu/{size}"] = lambda request, size=size: request.answer(200, compute(size))
    FIXED["GET", f"/wait/{size}"] = lambda request, size=size: request.answer(200, wait(size))

# Paths with one parameter, by the part before it.
BY_ID = {
    ("GET", "/items/"): lambda request, id: request.answer(200, {"id": id}),
    ("GET", "/users/"): Handler.answer_user,
    ("GET", "/auth/users/"): Handler.answer_auth_user,
    ("GET", "/cached/users/"): Handler.answer_cached,
    ("GET", "/user/"): Handler.describe_user,
}
for count in ROUTE_COUNTS:
    for number in range(1, count + 1):
        BY_ID["GET", f"/routes-{count}/resource-{number}/"] = lambda request, id, number=number: request.answer(
            200, {"route": number, "id": id}
        )


def find(method, path):
    handler = FIXED.get((method, path))
    if handler is not None:
        return handler, ()
    at = path.rfind("/") + 1
    handler = BY_ID.get((method, path[:at]))
    if handler is None or at == len(path):
        raise HttpError(404)
    return handler, (unquote(path[at:]),)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
Server((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))), Handler).serve_forever()
