"""Writes signatures.json beside itself: keys and signatures of another implementation, the package `cryptography` on PyPI."""
import json
import pathlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MESSAGE = b"what is signed"
PSS = padding.PSS(mgf=padding.MGF1(hashes.SHA256()), salt_length=32)


def number(value, length=None):
    return value.to_bytes(length or (value.bit_length() + 7) // 8, "big").hex()


def curve(kind, digest, algorithm, length):
    key = ec.generate_private_key(kind)
    point = key.public_key().public_numbers()
    signature = key.sign(MESSAGE, ec.ECDSA(digest))
    r, s = utils.decode_dss_signature(signature)
    return {
        "algorithm": algorithm,
        "x": number(point.x, length),
        "y": number(point.y, length),
        "der": signature.hex(),
        "signature": number(r, length) + number(s, length),
    }


def modulus(bits, algorithm):
    key = rsa.generate_private_key(65537, bits)
    how = PSS if algorithm == "PS256" else padding.PKCS1v15()
    numbers = key.public_key().public_numbers()
    return {
        "algorithm": algorithm,
        "n": number(numbers.n),
        "e": number(numbers.e),
        "signature": key.sign(MESSAGE, how, hashes.SHA256()).hex(),
    }


def edwards():
    key = ed25519.Ed25519PrivateKey.generate()
    return {
        "algorithm": "EdDSA",
        "x": key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex(),
        "signature": key.sign(MESSAGE).hex(),
    }


cases = [
    curve(ec.SECP256R1(), hashes.SHA256(), "ES256", 32),
    curve(ec.SECP384R1(), hashes.SHA384(), "ES384", 48),
    modulus(2048, "RS256"),
    modulus(4096, "RS256"),
    modulus(2048, "PS256"),
    edwards(),
]
text = json.dumps({"message": MESSAGE.hex(), "cases": cases}, indent=1)
pathlib.Path(__file__).with_name("signatures.json").write_text(text + "\n")
