"""Verifies ID tokens like a back end that knows only the issuer's URL and the project.

Prints "accepted" or "refused" for each token, on which PyJWT and `Authlib` must agree.
"""
import sys

import jwt
import requests
from authlib.integrations.base_client import BaseOAuth, FrameworkIntegration
from authlib.integrations.base_client.sync_app import BaseApp, OAuth2Mixin
from authlib.integrations.base_client.sync_openid import OpenIDMixin
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose.errors import JoseError
from authlib.oidc.core import CodeIDToken


class Client(OAuth2Mixin, OpenIDMixin, BaseApp):
    client_cls = OAuth2Session


class Framework(FrameworkIntegration):
    @staticmethod
    def load_config(oauth, name, params):
        return {}


class Registry(BaseOAuth):
    oauth2_client_cls = Client
    framework_integration_cls = Framework


def with_pyjwt(issuer, project, token):
    answer = requests.get(issuer + "/.well-known/openid-configuration", timeout=30)
    answer.raise_for_status()
    assert answer.headers["Access-Control-Allow-Origin"] == "*" and "max-age=" in answer.headers["Cache-Control"]
    document = answer.json()
    # OpenID Connect Discovery 1.0, section 4.3.
    assert document["issuer"] == issuer, document
    assert set(document) == {
        "issuer", "jwks_uri", "response_types_supported", "subject_types_supported",
        "id_token_signing_alg_values_supported", "claims_supported",
    }, document
    algorithms = document["id_token_signing_alg_values_supported"]
    assert algorithms == ["RS256"]
    try:
        key = jwt.PyJWKClient(document["jwks_uri"]).get_signing_key_from_jwt(token).key
        claims = jwt.decode(token, key, algorithms=algorithms, audience=project, issuer=issuer)
    except jwt.PyJWTError:
        return None
    unlisted = set(claims) - set(document["claims_supported"])
    assert not unlisted, unlisted
    return claims


def with_authlib(issuer, project, token):
    registry = Registry()
    client = registry.register(
        "dialtone", client_id=project, server_metadata_url=issuer + "/.well-known/openid-configuration"
    )
    options = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": project}}
    try:
        # Without this class, it expects a nonce, as in a response of an authorization endpoint.
        return dict(client.parse_id_token({"id_token": token}, None, options, CodeIDToken))
    except (JoseError, ValueError):
        return None


issuer, project, *tokens = sys.argv[1:]
for token in tokens:
    claims = with_pyjwt(issuer, project, token)
    other = with_authlib(issuer, project, token)
    assert other == claims, (other, claims)
    print("refused" if claims is None else "accepted")
