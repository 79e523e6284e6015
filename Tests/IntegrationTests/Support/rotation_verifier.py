"""Continuously verifies new ID tokens, like servers that cache the public keys exactly as long as max-age says.

Four verifiers use PyJWT with the JWK set, and four use google-auth with the certificates. Each starts to cache the keys
at a different time, so that some fetch them just before a change and some just after it. None fetches them because a
token names an unknown key. Arguments: address, refresh token, file whose existence ends the run, the max-age to expect.
Prints the result as JSON.
"""

import json
import os
import re
import sys
import threading
import time

import jwt
import requests
from google.auth import jwt as google_jwt

PROJECT = "demo-dialtone"
OWNER = "securetoken@system.gserviceaccount.com"
base, refresh_token, stop_file, max_age = sys.argv[1:5]


class Keys:
    """The public keys, fetched again when their max-age has passed."""

    def __init__(self, path, read):
        self.url, self.read, self.end, self.lock = base + path + OWNER, read, 0, threading.Lock()

    def get(self):
        with self.lock:
            if time.monotonic() >= self.end:
                answer = requests.get(self.url)
                told = re.search(r"max-age=(\d+)", answer.headers["Cache-Control"]).group(1)
                assert told == max_age, told
                self.keys, self.end = self.read(answer.json()), time.monotonic() + int(told)
            return self.keys


def read_jwk_set(document):
    return {key["kid"]: jwt.PyJWK(key).key for key in document["keys"]}


def verify_with_pyjwt(keys, token):
    key = keys.get()[jwt.get_unverified_header(token)["kid"]]
    issuer = "https://securetoken.google.com/" + PROJECT
    jwt.decode(token, key, algorithms=["RS256"], audience=PROJECT, issuer=issuer)


def verify_with_google_auth(keys, token):
    google_jwt.decode(token, certs=keys.get(), audience=PROJECT)


start = time.monotonic()
verifiers = []
for index in range(8):
    if index % 2 == 0:
        verify, keys = verify_with_pyjwt, Keys("/service_accounts/v1/jwk/", read_jwk_set)
    else:
        verify, keys = verify_with_google_auth, Keys("/robot/v1/metadata/x509/", dict)
    verifiers.append((verify, keys, start + index * int(max_age) / 8))

lock = threading.Lock()
result = {"verified": 0, "failures": [], "keyIDs": []}
first_tokens = []


def failure(verify, keys, token):
    try:
        verify(keys, token)
    except Exception as error:
        return repr(error)


def load():
    session = requests.Session()
    form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    while not os.path.exists(stop_file):
        answer = session.post(base + "/v1/token?key=demo-key", data=form)
        if answer.status_code != 200:
            with lock:
                result["failures"].append(answer.text)
            continue
        token = answer.json()["id_token"]
        key_id = jwt.get_unverified_header(token)["kid"]
        with lock:
            if key_id not in result["keyIDs"]:
                result["keyIDs"].append(key_id)
                first_tokens.append(token)
            # Each key's first token must stay valid when other keys sign.
            tokens = [token] + first_tokens
        for verify, keys, begin in verifiers:
            if time.monotonic() < begin:
                continue
            failures = [text for text in (failure(verify, keys, token) for token in tokens) if text]
            with lock:
                result["verified"] += len(tokens) - len(failures)
                result["failures"] += failures


threads = [threading.Thread(target=load) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(result))
