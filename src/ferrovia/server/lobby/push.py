"""Web Push: what a server tells a browser through the push service of that browser (RFC 8030).

The service sees where a message goes and how long it is; what it says is encrypted for the browser
(RFC 8291), and signed with the key of this store (RFC 8292), which is made when it is first needed.
"""

import base64
import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ferrovia.languages import catalogue
from ferrovia.server.store import Store
from ferrovia.server.store.interface import PUSH_KEY
from ferrovia.server.table.entries import Subscribed

GONE = (404, 410)
"""What a push service answers when a browser wants nothing more."""

_SECONDS = 7 * 86400  # that the service keeps it for a browser that is not there


class Push:
    """Signs and encrypts messages with the key of a store. `site` is where people reach it."""

    def __init__(self, store: Store, site: str) -> None:
        self._store = store
        self._contact = f"https://{urlsplit(site).hostname}"

    @cached_property
    def _signer(self) -> Any:
        from py_vapid import Vapid02

        kept = self._store.secret(PUSH_KEY)
        if kept is None:
            made = Vapid02()
            made.generate_keys()
            kept = self._store.keep_secret(PUSH_KEY, made.private_pem())
        return Vapid02.from_pem(kept)

    @cached_property
    def key(self) -> str:
        """The public key, with which browsers subscribe."""
        signed: str = self._signer.sign({"sub": self._contact, "aud": "https://example.org"})[
            "Authorization"
        ]
        return signed.rpartition("k=")[2]

    def message(self, table: str, edition: str, to: Subscribed) -> tuple[Mapping[str, str], bytes]:
        """Return headers and body of the message that it is somebody's turn at a table."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        said = {"table": table, "text": f"{catalogue(to.language)['prompt.yours']}: {edition}"}
        parts = urlsplit(to.endpoint)
        signed = self._signer.sign(
            {"sub": self._contact, "aud": f"{parts.scheme}://{parts.hostname}"}
        )
        body = http_ece.encrypt(
            msgspec.json.encode(said),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_unpadded(to.p256dh),
            auth_secret=_unpadded(to.auth),
            version="aes128gcm",
        )
        return {
            **signed,
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(_SECONDS),
            # A newer one about this table takes the place of one that still waits there.
            "Topic": base64.urlsafe_b64encode(hashlib.sha256(table.encode()).digest())[
                :32
            ].decode(),
        }, body


def _unpadded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
