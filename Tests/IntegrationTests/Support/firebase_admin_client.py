"""Calls a server with the official firebase-admin, as a back end would. Prints "done" at the end.

Arguments: the server's address, the project, and for production mode an admin token; without one, emulator mode.
"""

import base64
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request

host, project = sys.argv[1:3]
token = sys.argv[3] if len(sys.argv) > 3 else None
if token is None:
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = host

import bcrypt
import firebase_admin
from firebase_admin import _token_gen, auth, credentials
import google.oauth2.credentials


class AdminToken(credentials.Base):
    """An admin token as a credential of the SDK."""

    def get_credential(self):
        return google.oauth2.credentials.Credentials(token)


# As in AdminSDKs.md.
_token_gen.ID_TOKEN_CERT_URI = f"http://{host}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
_token_gen.COOKIE_CERT_URI = f"http://{host}/identitytoolkit/v3/relyingparty/publicKeys"
app = firebase_admin.initialize_app(AdminToken() if token else None, {"projectId": project})
if token:
    # The SDK has no setting for a host other than Google's, except for the emulator, to which it sends no credential.
    client = auth._get_client(app)
    client._user_manager.base_url = f"http://{host}/v1/projects/{project}"
    client._token_generator.base_url = client._user_manager.base_url
    client._provider_manager = None

number, other_number = "+16505550160", "+16505550161"


def call(path, body):
    request = urllib.request.Request(
        f"http://{host}/v1/{path}?key=demo-key", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def refused(error, operation):
    try:
        operation()
    except error:
        return
    sys.exit(f"{error.__name__} was expected")


def signs_in(email, password):
    try:
        body = {"email": email, "password": password, "returnSecureToken": True}
        return call("accounts:signInWithPassword", body)["localId"]
    except urllib.error.HTTPError as error:
        message = json.load(error)["error"]["message"]
        assert message in ("INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"), message
        return None


# Create, get, update.
user = auth.create_user(uid="ada", phone_number=number, display_name="Ada")
assert (user.uid, user.phone_number, user.display_name, user.disabled) == ("ada", number, "Ada", False), user._data
assert user.user_metadata.last_sign_in_timestamp is None
assert auth.get_user("ada").uid == auth.get_user_by_phone_number(number).uid == "ada"
assert [info.provider_id for info in user.provider_data] == ["phone"]
refused(auth.UidAlreadyExistsError, lambda: auth.create_user(uid="ada"))
refused(auth.PhoneNumberAlreadyExistsError, lambda: auth.create_user(phone_number=number))
refused(auth.UserNotFoundError, lambda: auth.get_user("nobody"))
refused(auth.UserNotFoundError, lambda: auth.get_user_by_phone_number(other_number))
refused(auth.UserNotFoundError, lambda: auth.get_user_by_email("ada@example.com"))
refused(auth.UserNotFoundError, lambda: auth.update_user("nobody", display_name="x"))
user = auth.update_user("ada", phone_number=other_number, display_name="Ada L.", photo_url="https://example.com/a.png")
assert (user.phone_number, user.display_name, user.photo_url) == (other_number, "Ada L.", "https://example.com/a.png")
refused(auth.UserNotFoundError, lambda: auth.get_user_by_phone_number(number))
user = auth.update_user("ada", phone_number=auth.DELETE_ATTRIBUTE, display_name=auth.DELETE_ATTRIBUTE)
assert user.phone_number is None and user.display_name is None
assert auth.update_user("ada", phone_number=number).phone_number == number
found = auth.get_users([auth.UidIdentifier("ada"), auth.PhoneIdentifier(number), auth.UidIdentifier("nobody")])
assert [user.uid for user in found.users] == ["ada"] and len(found.not_found) == 1

# E-mail address and password.
email = "ada@example.com"
user = auth.update_user("ada", email=email, password="correct horse", email_verified=True)
assert (user.email, user.email_verified) == (email, True)
assert auth.get_user_by_email("Ada@Example.com").uid == "ada"
assert sorted(info.provider_id for info in user.provider_data) == ["password", "phone"]
refused(auth.EmailAlreadyExistsError, lambda: auth.create_user(email=email))
assert signs_in(email, "correct horse") == "ada"
assert auth.create_user(uid="bob", email="bob@example.com", password="battery staple").uid == "bob"
assert signs_in("bob@example.com", "battery staple") == "bob"
assert len(auth.get_users([auth.EmailIdentifier(email), auth.EmailIdentifier("bob@example.com")]).users) == 2
auth.delete_user("bob")

# Passwords that Firebase, other systems' scrypt and bcrypt hashed; the first is the sample of
# github.com/firebase/scrypt.
def decoded(text):
    return base64.b64decode(text)


firebase_scrypt = auth.UserImportHash.scrypt(
    key=decoded("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="),
    salt_separator=decoded("Bw=="),
    rounds=8,
    memory_cost=14,
)
firebase_hash = decoded("lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==")
scrypt_hash = hashlib.scrypt(b"user2password", salt=b"salt", n=16384, r=8, p=1, dklen=64)
for scheme, password, hashed, salt in [
    (firebase_scrypt, "user1password", firebase_hash, decoded("42xEC+ixf3L2lw==")),
    (auth.UserImportHash.standard_scrypt(16384, 1, 8, 64), "user2password", scrypt_hash, b"salt"),
    (auth.UserImportHash.bcrypt(), "user3password", bcrypt.hashpw(b"user3password", bcrypt.gensalt(5)), None),
]:
    record = auth.ImportUserRecord(
        "moved", email="moved@example.com", email_verified=True, password_hash=hashed, password_salt=salt
    )
    imported = auth.import_users([record], hash_alg=scheme)
    assert imported.success_count == 1, [error.reason for error in imported.errors]
    # The second time, the new hash is verified.
    for _ in range(2):
        assert signs_in("moved@example.com", password) == "moved"
    assert signs_in("moved@example.com", "another password") is None
    assert auth.get_user("moved").email_verified
    auth.delete_user("moved")

# Import, list with paging, delete many.
imported = auth.import_users([auth.ImportUserRecord(f"imported-{index}") for index in range(25)])
assert (imported.success_count, imported.failure_count) == (25, 0), imported.errors
page, pages = auth.list_users(max_results=10), []
while page:
    pages.append([user.uid for user in page.users])
    page = page.get_next_page()
assert [len(uids) for uids in pages] == [10, 10, 6], pages
assert sum(pages, []) == sorted(["ada"] + [f"imported-{index}" for index in range(25)])
assert len(list(auth.list_users().iterate_all())) == 26
deleted = auth.delete_users([f"imported-{index}" for index in range(25)] + ["nobody"])
assert (deleted.success_count, deleted.failure_count) == (26, 0), deleted.errors

# Custom claims, also in a sign-in with a custom token.
auth.set_custom_user_claims("ada", {"role": "admin"})
assert auth.get_user("ada").custom_claims == {"role": "admin"}
if token is None:
    custom_token = auth.create_custom_token("ada", {"level": 3}).decode()
    id_token = call("accounts:signInWithCustomToken", {"token": custom_token, "returnSecureToken": True})["idToken"]
    claims = auth.verify_id_token(id_token, check_revoked=True)
    assert (claims["uid"], claims["role"], claims["level"]) == ("ada", "admin", 3), claims
    assert claims["phone_number"] == number

    # Session cookies.
    cookie = auth.create_session_cookie(id_token, 3600)
    cookie_claims = auth.verify_session_cookie(cookie, check_revoked=True)
    assert cookie_claims["uid"] == "ada" and cookie_claims["exp"] - cookie_claims["iat"] == 3600
    assert cookie_claims["iss"] == f"https://session.firebase.google.com/{project}"
    refused(auth.InvalidIdTokenError, lambda: auth.create_session_cookie("junk", 3600))
    # Also the signature, which the SDK does not verify for an emulator, with the keys from their own address.
    import jwt
    from cryptography.x509 import load_pem_x509_certificate

    with urllib.request.urlopen(f"http://{host}/identitytoolkit/v3/relyingparty/publicKeys") as answer:
        assert "max-age=" in answer.headers["Cache-Control"]
        certificates = json.load(answer)
    certificate = certificates[jwt.get_unverified_header(cookie)["kid"]]
    key = load_pem_x509_certificate(certificate.encode()).public_key()
    jwt.decode(cookie, key, algorithms=["RS256"], audience=project, issuer=cookie_claims["iss"])

    # Disabling and revoking.
    auth.update_user("ada", disabled=True)
    refused(auth.UserDisabledError, lambda: auth.verify_id_token(id_token, check_revoked=True))
    auth.update_user("ada", disabled=False)
    auth.verify_id_token(id_token, check_revoked=True)
    time.sleep(1.1)  # tokens tell the second of the sign-in, and are revoked if it is before that of the revocation
    auth.revoke_refresh_tokens("ada")
    refused(auth.RevokedIdTokenError, lambda: auth.verify_id_token(id_token, check_revoked=True))
    refused(auth.RevokedSessionCookieError, lambda: auth.verify_session_cookie(cookie, check_revoked=True))

else:
    # Signatures are verified, with our keys.
    body = {"email": email, "password": "correct horse", "returnSecureToken": True}
    id_token = call("accounts:signInWithPassword", body)["idToken"]
    claims = auth.verify_id_token(id_token, check_revoked=True)
    assert (claims["uid"], claims["role"], claims["email"]) == ("ada", "admin", email), claims
    forged = id_token[:-8] + ("AAAAAAAA" if not id_token.endswith("AAAAAAAA") else "BBBBBBBB")
    refused(auth.InvalidIdTokenError, lambda: auth.verify_id_token(forged))
    cookie = auth.create_session_cookie(id_token, 3600)
    assert auth.verify_session_cookie(cookie, check_revoked=True)["uid"] == "ada"
    refused(auth.InvalidSessionCookieError, lambda: auth.verify_session_cookie(id_token))

# The project's configuration, which this SDK has no call for.
config = f"http://{host}/v2/projects/{project}/config"
session = auth._get_client(firebase_admin.get_app())._user_manager.http_client.session
before = session.get(config).json()
assert before["signIn"]["anonymous"]["enabled"] == (token is None), before
change = {"smsRegionConfig": {"allowlistOnly": {"allowedRegions": ["US"]}}}
changed = session.patch(config, json=change, params={"updateMask": "smsRegionConfig"}).json()
assert changed["smsRegionConfig"] == change["smsRegionConfig"], changed
assert changed["signIn"] == before["signIn"], changed
assert session.patch(config, json={}, params={"updateMask": "smsRegionConfig"}).json() == before

auth.set_custom_user_claims("ada", None)
assert not auth.get_user("ada").custom_claims
auth.delete_user("ada")
refused(auth.UserNotFoundError, lambda: auth.get_user("ada"))
refused(auth.UserNotFoundError, lambda: auth.delete_user("ada"))
print("done")
