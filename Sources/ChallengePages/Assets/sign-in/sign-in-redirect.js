// Sign-in on the server's page, by a redirect with a one-time code (RFC 6749 § 4.1, PKCE, RFC 9207). The app
// calls signInWithRedirect in a click, and getRedirectResult whenever its page is loaded.
//
// The secret and the state are in `sessionStorage`, so a response is accepted only by the tab that requested it.
const redirectKey = (apiKey) => 'dialtone-redirect:' + apiKey;

const base64URL = (bytes) => btoa(String.fromCharCode(...bytes))
  .replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');

/**
 * Goes to the server's sign-in page, which comes back to `redirectUri`, by default this page without its query. The
 * promise only settles if the browser cannot go there: it rejects with an Error whose `code` is one of the SDK's.
 */
async function signInWithRedirect({
  apiKey, url = own, redirectUri = location.origin + location.pathname, language = document.documentElement.lang,
}) {
  const server = new Server(new URL(url, document.baseURI).origin, apiKey);
  if (!window.crypto || !crypto.subtle) {
    throw failure('auth/operation-not-supported-in-this-environment', 'the page was not loaded by https');
  }
  const random = () => base64URL(crypto.getRandomValues(new Uint8Array(32)));
  const state = random(), verifier = random();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { issuer } = await answered(
    server.call('/v2/signInConfig?hl=' + encodeURIComponent(language), null, { cache: 'default' }));
  try {
    sessionStorage.setItem(redirectKey(apiKey), JSON.stringify({ state, verifier, redirectUri, issuer }));
  } catch (_) {
    throw failure('auth/web-storage-unsupported', 'the browser stores nothing for this page');
  }
  location.assign(server.origin + '/__/auth/sign-in?' + new URLSearchParams({
    response_type: 'code', client_id: apiKey, redirect_uri: redirectUri, state,
    code_challenge: base64URL(new Uint8Array(hash)), code_challenge_method: 'S256', hl: language,
  }));
  return new Promise(() => {});
}

/**
 * Resolves to the `DialtoneUser` whom the server's page has sent here, or to null if this page load is not such a
 * return. Rejects with an Error whose `code` is `auth/user-cancelled`, `auth/invalid-oauth-response` or one of the
 * SDK's. The response is removed from the URL first, so that a reload does not use the code again.
 */
async function getRedirectResult({ apiKey, url = own, persistence = 'local' }) {
  const query = new URLSearchParams(location.search), key = redirectKey(apiKey);
  let asked = null;
  try { asked = JSON.parse(sessionStorage.getItem(key)); } catch (_) { /* Nothing was asked for. */ }
  // A different state belongs to another library's request, or is forged (login CSRF).
  if (!asked || query.get('state') !== asked.state || !(query.has('code') || query.has('error'))) return null;
  const response = {}, names = ['state', 'code', 'iss', 'error', 'error_description'];
  const isRepeated = names.some((name) => query.getAll(name).length > 1);
  for (const name of names) {
    response[name] = query.get(name);
    query.delete(name);
  }
  const rest = String(query);
  history.replaceState(history.state, '', location.pathname + (rest && '?' + rest) + location.hash);
  sessionStorage.removeItem(key);
  // Another server's code must not be sent to this one, nor this one's to another (mix-up attack).
  if (isRepeated || response.iss !== asked.issuer) {
    throw failure('auth/invalid-oauth-response', 'the response is not of the server that was asked');
  }
  if (response.error === 'access_denied') throw failure('auth/user-cancelled', 'the user cancelled the sign-in');
  if (response.error || !response.code) {
    throw failure('auth/invalid-oauth-response', response.error + ': ' + response.error_description);
  }
  const server = new Server(new URL(url, document.baseURI).origin, apiKey);
  const exchange = () => server.call('/v1/token', new URLSearchParams({
    grant_type: 'authorization_code', code: response.code, code_verifier: asked.verifier,
    redirect_uri: asked.redirectUri, client_id: apiKey,
  }));
  // If the request did not arrive, the next one may. If its response was lost, so are the tokens.
  const answer = await answered(exchange().catch((refusal) => {
    if (refusal.code !== 'NETWORK') throw refusal;
    return exchange();
  }));
  const storage = new SafeStorage(persistence), userKey = 'dialtone-user:' + apiKey;
  const tokens = received({ idToken: answer.id_token, refreshToken: answer.refresh_token });
  storage.set(userKey, tokens);
  window.dispatchEvent(new Event('dialtone-stored'));
  return new DialtoneUser(server, storage, userKey, tokens);
}

/** Returns the server's response; its refusals become Errors with the SDK's codes. */
async function answered(request) {
  try {
    return await request;
  } catch ({ code, reference }) {
    if (code === 'NETWORK') throw failure('auth/network-request-failed', 'the server cannot be reached');
    throw failure(code === 'invalid_grant' ? 'auth/code-expired' : 'auth/internal-error',
      'the server refused' + (reference && ', reference ' + reference));
  }
}
