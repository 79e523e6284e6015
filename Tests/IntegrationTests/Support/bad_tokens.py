"""Derives tokens that every verifier must reject from a token that it must accept.

Arguments: the key file of the deployment, and the token. Prints a name and a token per line.
"""

import base64
import hashlib
import hmac
import json
import sys
import time

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

path, token = sys.argv[1:]
header = jwt.get_unverified_header(token)
claims = jwt.decode(token, options={"verify_signature": False})
with open(path) as file:
    own = next(each for each in json.load(file)["signingKeys"] if each["id"] == header["kid"])
public = x509.load_pem_x509_certificate(own["certificate"].encode()).public_key()
public_pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
stranger = rsa.generate_private_key(65537, 2048)
now = int(time.time())


def signed(changes, key=own["privateKey"], kid=header["kid"]):
    return jwt.encode(claims | changes, key, "RS256", {"kid": kid})


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def unsigned(algorithm):
    return f"{encoded(header | {'alg': algorithm})}.{encoded(claims)}"


def by_hmac(secret):
    text = unsigned("HS256")
    code = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(code).rstrip(b'=').decode()}"


head, payload, signature = token.split(".")
assert jwt.decode(signed({}), public, ["RS256"], audience=claims["aud"]) == claims
bad = {
    "expired": signed({"iat": now - 7200, "exp": now - 3600}),
    "of another audience": signed({"aud": "another"}),
    "of another issuer": signed({"iss": "https://securetoken.google.com/another"}),
    "of the issuer with a slash": signed({"iss": claims["iss"] + "/"}),
    "by another key with the same id": signed({}, stranger),
    "by a key with an unknown id": signed({}, stranger, "unknown"),
    "with other claims under the signature": f"{head}.{encoded(claims | {'sub': 'admin'})}.{signature}",
    "without a signature": f"{head}.{payload}.",
    "of no algorithm": unsigned("none") + ".",
    "of no algorithm, with the signature": f"{unsigned('none')}.{signature}",
    "by HMAC with the public key": by_hmac(public_pem),
    "by HMAC with the certificate": by_hmac(own["certificate"].encode()),
    "cut off": f"{head}.{payload}",
    "no token": "x",
}
for name, each in bad.items():
    print(f"{name}\t{each}")
