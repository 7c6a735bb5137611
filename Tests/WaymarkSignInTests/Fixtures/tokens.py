"""Writes tokens.json beside itself: ID tokens and a key set of `PyJWT`, a package on PyPI."""
import base64
import hashlib
import json
import pathlib

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER, CLIENT, NONCE, NOW, ACCESS = "https://idp.example.com/realm", "waymark", "the-nonce", 1_800_000_000, "the-access-token"
CLAIMS = {
    "iss": ISSUER,
    "aud": CLIENT,
    "sub": "248289761001",
    "nonce": NONCE,
    "iat": NOW,
    "exp": NOW + 300,
    "name": "Ada Lovelace",
    "email": "ada@example.com",
    "groups": ["staff", "links-editors"],
    "realm_access": {"roles": ["admin"]},
}


def public(algorithm, key, name, kid):
    value = json.loads(algorithm.to_jwk(key.public_key()))
    value.pop("key_ops", None)
    return value | {"kid": kid, "use": "sig", "alg": name}


def token(key, name, kid, digest):
    half = hashlib.new(digest, ACCESS.encode()).digest()
    at_hash = base64.urlsafe_b64encode(half[: len(half) // 2]).rstrip(b"=").decode()
    return {"algorithm": name, "token": jwt.encode(CLAIMS | {"at_hash": at_hash}, key, name, headers={"kid": kid})}


first = rsa.generate_private_key(65537, 2048)
second = rsa.generate_private_key(65537, 2048)
p256, p384 = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP384R1())
edwards = ed25519.Ed25519PrivateKey.generate()
keys = [
    public(RSAAlgorithm, first, "RS256", "r"),
    public(RSAAlgorithm, second, "PS256", "p"),
    public(ECAlgorithm, p256, "ES256", "e"),
    public(ECAlgorithm, p384, "ES384", "f"),
    public(OKPAlgorithm, edwards, "EdDSA", "o"),
]
tokens = [
    token(first, "RS256", "r", "sha256"),
    token(second, "PS256", "p", "sha256"),
    token(p256, "ES256", "e", "sha256"),
    token(p384, "ES384", "f", "sha384"),
    token(edwards, "EdDSA", "o", "sha512"),
]
for each in tokens:
    jwt.decode(each["token"], jwt.PyJWK(next(k for k in keys if k["alg"] == each["algorithm"])), audience=CLIENT,
               algorithms=[each["algorithm"]], options={"verify_exp": False, "verify_iat": False})


def unsafe(header, sign):
    """Tokens that a careless client accepts."""
    text = ".".join(base64.urlsafe_b64encode(json.dumps(v).encode()).rstrip(b"=").decode() for v in (header, CLAIMS))
    return {"algorithm": header["alg"], "token": text + "." + sign(text.encode())}


def keyed(secret):
    import hmac

    return lambda text: base64.urlsafe_b64encode(hmac.digest(secret, text, "sha256")).rstrip(b"=").decode()


pem = first.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
refused = [
    unsafe({"alg": "none"}, lambda _: ""),
    unsafe({"alg": "None", "kid": "r"}, lambda _: ""),
    unsafe({"alg": "HS256", "kid": "r"}, keyed(pem)),
    unsafe({"alg": "HS256", "kid": "r"}, keyed(b"the-secret")),
    {"algorithm": "RS512", "token": jwt.encode(CLAIMS, first, "RS512", headers={"kid": "r"})},
]
value = {
    "issuer": ISSUER,
    "client": CLIENT,
    "nonce": NONCE,
    "now": NOW,
    "access": ACCESS,
    "keys": {"keys": keys},
    "tokens": tokens,
    "refused": refused,
}
pathlib.Path(__file__).with_name("tokens.json").write_text(json.dumps(value, indent=1) + "\n")
