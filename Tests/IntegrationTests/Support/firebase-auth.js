// Stands in for the browser build of Firebase's JS SDK, which tests cannot download. It has the functions that the
// example and the component use, and calls the real server. Like the SDK, it reads `auth.config` at each request,
// stores the user, looks up the user of the last visit, refreshes ID tokens that are about to expire, and signs out
// users whose session has ended.
const KEPT = 'firebase-stand-in';
const ENDED = /^(TOKEN_EXPIRED|USER_DISABLED|USER_NOT_FOUND)/;
const CODES = { INVALID_CODE: 'invalid-verification-code', SESSION_EXPIRED: 'code-expired' };

export const indexedDBLocalPersistence = { type: 'LOCAL' };
export const browserLocalPersistence = { type: 'LOCAL' };

function failure(message) {
  const word = message.split(' : ')[0];
  const code = ENDED.test(message) ? 'user-token-expired' : CODES[word] || word.toLowerCase();
  return Object.assign(new Error(message), { code: 'auth/' + code });
}

async function call(auth, host, path, body) {
  const isForm = body instanceof URLSearchParams;
  let response;
  try {
    response = await fetch(`${auth.config.apiScheme}://${host}${path}?key=${auth.config.apiKey}`, {
      method: 'POST', body: isForm ? body : JSON.stringify(body), credentials: 'omit',
      headers: {
        'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'X-Client-Version': 'Chrome/JsCore/12.18.0/FirebaseCore-web',
      },
    });
  } catch (_) {
    throw Object.assign(new Error(), { code: 'auth/network-request-failed' });
  }
  const answer = await response.json();
  if (!response.ok) throw failure(answer.error.message);
  return answer;
}

function claimsOf(token) {
  const part = token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (byte) => byte.charCodeAt(0))));
}

class User {
  constructor(auth, tokens) {
    this.auth = auth;
    this.metadata = {};
    this.take(tokens);
  }

  take(tokens) {
    this.tokens = tokens;
    const { sub, phone_number: phoneNumber, email } = claimsOf(tokens.idToken);
    Object.assign(this, { uid: sub, phoneNumber: phoneNumber || null, email: email || null, isAnonymous: false });
    localStorage.setItem(KEPT, JSON.stringify(tokens));
  }

  async getIdToken(isForced = false) {
    const isFresh = claimsOf(this.tokens.idToken).exp * 1000 - Date.now() > 30000;
    if (isFresh && !isForced) return this.tokens.idToken;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: this.tokens.refreshToken });
    try {
      const answer = await call(this.auth, this.auth.config.tokenApiHost, '/v1/token', form);
      this.take({ idToken: answer.id_token, refreshToken: answer.refresh_token });
    } catch (error) {
      if (error.code === 'auth/user-token-expired') await signOut(this.auth);
      throw error;
    }
    this.auth.tell('token');
    return this.tokens.idToken;
  }

  async getIdTokenResult() {
    const token = await this.getIdToken(), claims = claimsOf(token);
    return { token, claims, expirationTime: new Date(claims.exp * 1000).toUTCString() };
  }
}

export function initializeAuth(app) {
  const auth = {
    config: {
      apiKey: app.options.apiKey, apiScheme: 'https', apiHost: 'identitytoolkit.googleapis.com',
      tokenApiHost: 'securetoken.googleapis.com',
    },
    settings: { appVerificationDisabledForTesting: false },
    currentUser: null,
    listeners: { state: [], token: [] },
    tell(kind) {
      auth.listeners[kind].forEach((listener) => listener(auth.currentUser));
    },
    become(user) {
      auth.currentUser = user;
      auth.tell('state');
      auth.tell('token');
    },
    onAuthStateChanged: (listener) => onAuthStateChanged(auth, listener),
    signOut: () => signOut(auth),
  };
  auth.ready = Promise.resolve().then(async () => {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (!kept) return;
    const user = new User(auth, kept);
    try {
      await call(auth, auth.config.apiHost, '/v1/accounts:lookup', { idToken: await user.getIdToken() });
    } catch (error) {
      if (error.code === 'auth/user-token-expired') return localStorage.removeItem(KEPT);
    }
    auth.currentUser = user;
  });
  return auth;
}

function listen(auth, kind, listener) {
  let isHere = true;
  const tell = (user) => { if (isHere) listener(user); };
  auth.ready.then(() => {
    auth.listeners[kind].push(tell);
    tell(auth.currentUser);
  });
  return () => { isHere = false; };
}

export const onAuthStateChanged = (auth, listener) => listen(auth, 'state', listener);
export const onIdTokenChanged = (auth, listener) => listen(auth, 'token', listener);

export async function signOut(auth) {
  localStorage.removeItem(KEPT);
  auth.become(null);
}

export class PhoneAuthProvider {
  static credential(sessionInfo, code) { return { sessionInfo, code }; }
}

export async function signInWithCredential(auth, credential) {
  const answer = await call(auth, auth.config.apiHost, '/v1/accounts:signInWithPhoneNumber', credential);
  auth.become(new User(auth, { idToken: answer.idToken, refreshToken: answer.refreshToken }));
  return { user: auth.currentUser, operationType: 'signIn' };
}
