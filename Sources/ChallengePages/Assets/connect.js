// connectDialtone: lets the official Firebase JS SDK reach this server in production mode.
//
//   import { connectDialtone } from 'https://auth.example.com/__/auth/dialtone.js'
//   auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
//   await connectDialtone(auth, { url: 'https://auth.example.com' })
//
// The SDK reads these members of `auth.config` for each request.
const REACH_LIMIT_MS = 10000;

function serverAt(url) {
  let server;
  try { server = new URL(url); } catch (_) { server = null; }
  const isLoopback = server && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(server.hostname);
  const isOrigin = server && server.pathname === '/' && !server.search && !server.hash && !server.username;
  if (!isOrigin || !(server.protocol === 'https:' || (server.protocol === 'http:' && isLoopback))) {
    throw failure('auth/argument-error', 'expected a url such as https://auth.example.com, not ' + url);
  }
  return server;
}

/**
 * Resolves once the server has been reached. Requests that `auth` makes after the call go to the server even before
 * that. Rejects with an Error whose `code` is one of the SDK's own. `url` is the server's origin, by default that of
 * this module.
 */
async function connectDialtone(auth, { url = own && new URL(own).origin } = {}) {
  const server = serverAt(url);
  if (!auth || !auth.config) {
    throw failure('auth/argument-error', 'connectDialtone needs the object that initializeAuth returned');
  }
  if (auth.emulatorConfig) throw failure('auth/argument-error', 'connectAuthEmulator was called for this object');
  auth.config.apiScheme = server.protocol.slice(0, -1);
  auth.config.apiHost = auth.config.tokenApiHost = server.host;
  if (auth.settings) auth.settings.appVerificationDisabledForTesting = false;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), REACH_LIMIT_MS);
  let response;
  try {
    const options = { signal: abort.signal, credentials: 'omit', cache: 'no-store' };
    response = await fetch(server.origin + '/healthz', options);
  } catch (_) {
    throw failure('auth/network-request-failed', server.origin + ' cannot be reached: check its name and certificate, '
      + 'and that the policy of the page allows it (connect-src)');
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok) {
    throw failure('auth/internal-error', server.origin + '/healthz answered ' + response.status
      + ': is it a Dialtone server that is up?');
  }
}
