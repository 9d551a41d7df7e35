"""Receives webhooks on Python's library alone. Run: WEBHOOK_SECRET=whsec_… PORT=9000 python3 receiver.py"""

import hashlib
import hmac
import json
import os
import re
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
INBOX = os.environ.get("INBOX", "inbox")


def is_genuine(raw_body: bytes, timestamp: str, signature: str) -> bool:
    """Whether we sent it, and no more than five minutes ago. Takes the bytes that arrived, not JSON written again."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest refuses text that is not ASCII.
    return hmac.compare_digest(f"sha256={expected}".encode(), signature.encode())


def keep(event_id: str, raw_body: bytes) -> bool:
    """Keeps an event to be worked on later; false where it is there already. Your service would insert it under a unique id."""
    with tempfile.NamedTemporaryFile(dir=INBOX, prefix=".") as draft:
        draft.write(raw_body)
        draft.flush()
        try:
            os.link(draft.name, os.path.join(INBOX, f"{event_id}.json"))
            return True
        except FileExistsError:
            return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        timestamp = self.headers.get("X-Webhook-Timestamp", "")
        if not is_genuine(raw_body, timestamp, self.headers.get("X-Webhook-Signature", "")):
            return self.answer(401)
        # The id in the body is the signed one; it equals X-Webhook-ID.
        event = json.loads(raw_body)
        if keep(event["id"], raw_body):
            print(f"kept {event['type']} {event['id']}", flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        """Anything but 2xx is sent again."""
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


os.makedirs(INBOX, exist_ok=True)
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
