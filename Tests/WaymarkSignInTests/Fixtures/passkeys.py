"""Writes passkeys.json beside itself: answers of an authenticator made of `cbor2` and `cryptography`, which `webauthn` accepts.

All three are packages on PyPI.
"""
import base64
import hashlib
import json
import pathlib
import struct

import cbor2
import webauthn
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from webauthn.helpers.cose import COSEAlgorithmIdentifier

SITE, ORIGIN = "links.example.com", "https://links.example.com"
CHALLENGE, USER = bytes(range(32)), b"person-0001"
SHA256 = hashes.SHA256()


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, length):
    return value.to_bytes(length, "big")


def es256():
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_numbers()
    cose = {1: 2, 3: -7, -1: 1, -2: number(point.x, 32), -3: number(point.y, 32)}
    return cose, lambda data: key.sign(data, ec.ECDSA(SHA256))


def eddsa():
    key = ed25519.Ed25519PrivateKey.generate()
    return {1: 1, 3: -8, -1: 6, -2: key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)}, key.sign


def rs256():
    key = rsa.generate_private_key(65537, 2048)
    n = key.public_key().public_numbers().n
    return {1: 3, 3: -257, -1: number(n, 256), -2: b"\x01\x00\x01"}, lambda d: key.sign(d, padding.PKCS1v15(), SHA256)


def client_data(kind):
    value = {"type": kind, "challenge": text(CHALLENGE), "origin": ORIGIN, "crossOrigin": False}
    return json.dumps(value, separators=(",", ":")).encode()


def authenticator_data(flags, count, credential=b"", extensions=b""):
    return hashlib.sha256(SITE.encode()).digest() + struct.pack(">BI", flags, count) + credential + extensions


def case(name, made, count, form, statement, extensions=None):
    cose, sign = made
    identifier = hashlib.sha256(name.encode()).digest()
    encoded = cbor2.dumps(cose)
    attested = b"\0" * 16 + struct.pack(">H", len(identifier)) + identifier + encoded
    more, flag = (cbor2.dumps(extensions), 0x80) if extensions else (b"", 0)
    data = authenticator_data(0x45 | flag, count, attested, more)
    created = client_data("webauthn.create")
    if form == "packed":
        statement = {"alg": cose[3], "sig": sign(data + hashlib.sha256(created).digest())}
    attestation = cbor2.dumps({"fmt": form, "attStmt": statement, "authData": data})
    registration = {
        "id": text(identifier),
        "rawId": text(identifier),
        "type": "public-key",
        "authenticatorAttachment": "platform",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": text(created),
            "attestationObject": text(attestation),
            "transports": ["internal", "hybrid"],
        },
    }
    used = authenticator_data(0x05, count + 1 if count else 0)
    asked = client_data("webauthn.get")
    assertion = {
        "id": text(identifier),
        "rawId": text(identifier),
        "type": "public-key",
        "authenticatorAttachment": "platform",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": text(asked),
            "authenticatorData": text(used),
            "signature": text(sign(used + hashlib.sha256(asked).digest())),
            "userHandle": text(USER),
        },
    }
    common = {"expected_challenge": CHALLENGE, "expected_rp_id": SITE, "expected_origin": ORIGIN}
    registered = webauthn.verify_registration_response(
        credential=registration,
        require_user_verification=True,
        supported_pub_key_algs=[COSEAlgorithmIdentifier(a) for a in (-7, -8, -257)],
        **common,
    )
    webauthn.verify_authentication_response(
        credential=assertion,
        credential_public_key=registered.credential_public_key,
        credential_current_sign_count=registered.sign_count,
        require_user_verification=True,
        **common,
    )
    return {"name": name, "count": count, "registration": registration, "assertion": assertion}


cases = [
    case("ES256", es256(), 0, "none", {}),
    case("EdDSA", eddsa(), 7, "none", {}),
    case("RS256", rs256(), 41, "none", {}),
    case("ES256 with a statement of its own key", es256(), 1, "packed", {}),
    case("ES256 with extensions", es256(), 0, "none", {}, {"credProtect": 2, "hmac-secret": True}),
]
value = {"site": SITE, "origin": ORIGIN, "challenge": text(CHALLENGE), "user": text(USER), "cases": cases}
pathlib.Path(__file__).with_name("passkeys.json").write_text(json.dumps(value, indent=1) + "\n")
