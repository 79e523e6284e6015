// <dialtone-sign-in>: signs users in on any web page.
//
//   <script type="module" src="https://auth.example.com/__/auth/sign-in.js"></script>
//   <dialtone-sign-in api-key="…"></dialtone-sign-in>
//
// Without further settings it uses the REST interface and keeps the tokens. With `auth` and `sdk`, an `Auth` of the
// official JS SDK and the SDK's functions, the user is signed in there. Text from the server is inserted as text nodes
// only, never as markup (no XSS). The module is built from proof-of-work.js, verifier.js, this file and the constant
// BUILT, which has the style sheet, and texts in case the server cannot be reached.
const READ_DELAY_MS = 150;
const DRAFT_LIFE_MS = 3600000;
const REFRESH_BEFORE_MS = 300000;
const DRAWN_MS = 50;
const SLICE_MS = 8;
// For messages of an SDK, which does not pass on the server's own wait.
const RESEND_AFTER_S = 60;
const CLIENT = { clientType: 'CLIENT_TYPE_WEB' };
const BROWSERS = [['Edge', /Edg/], ['Opera', /OPR\//], ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/], ['Chrome', /Chrome|CriOS/], ['Safari', /Safari/]];
const SYSTEMS = [['Windows', /Windows/], ['Android', /Android/], ['iOS', /iP(hone|ad|od)/], ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/], ['Linux', /Linux/]];

/** Returns this browser's name in lists of sessions: `Chrome/Windows/Dialtone`. */
function clientVersion() {
  const named = (list) => (list.find(([, pattern]) => pattern.test(navigator.userAgent)) || ['Other'])[0];
  return named(BROWSERS) + '/' + named(SYSTEMS) + '/Dialtone';
}

// --- Elements and texts

/** Creates an element. An attribute that is a function is a listener; true is an empty attribute, false is none. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Returns the parts of a text with its placeholders replaced by texts or elements. */
function filled(text, values) {
  return text.split(/(\{[a-z]+\})/).map((part) => (part[0] === '{' ? values[part.slice(1, -1)] : part));
}

const ltr = (text) => make('bdi', { dir: 'ltr' }, text);

/** Returns the text with the digits of any script as ASCII. */
function withASCIIDigits(text) {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0);
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  });
}

const digitsOf = (text) => withASCIIDigits(text).replace(/[^\d+]/g, '');

/** Returns the number in a pasted text such as `Tel. +1 (650) 555-0101, evenings`; the text itself if it has none. */
function numberIn(text) {
  const runs = withASCIIDigits(text).match(/\+?[(\[]?\d[\d\s().[\]/\u00ad\u2010-\u2015\u200b\u2060\u2212-]*/g) || [];
  const longest = runs.sort((a, b) => digitsOf(b).length - digitsOf(a).length)[0];
  return longest ? longest.trim().replace(/[^\d)]+$/, '') : text.trim();
}

/** Returns the code in a pasted text: a whole message, or just the code with any separators. */
function codeIn(text, length) {
  const ascii = withASCIIDigits(text);
  const run = ascii.match(new RegExp('(?:^|\\D)(\\d{' + length + '})(?!\\d)'));
  return run ? run[1] : ascii.replace(/\D/g, '').slice(0, length);
}

// --- Storage that may be blocked

/** A storage of the browser or, if the browser denies access, the page's memory, which its components share. */
class SafeStorage {
  static #memories = {};

  constructor(name) {
    this.name = name;
    this.memory = SafeStorage.#memories[name] = SafeStorage.#memories[name] || new Map();
    try { this.storage = window[name + 'Storage']; } catch (_) { this.storage = null; }
  }

  get(key) {
    try {
      const text = this.storage ? this.storage.getItem(key) : null;
      return JSON.parse(text || this.memory.get(key) || 'null');
    } catch (_) { return null; }
  }

  /** In a storage that is full, the old value is removed, or it would be read again, such as a token that was used. */
  set(key, value) {
    const text = JSON.stringify(value);
    this.memory.delete(key);
    try { this.storage.setItem(key, text); } catch (_) {
      this.remove(key);
      try { this.storage.setItem(key, text); } catch (_) { this.memory.set(key, text); }
    }
  }

  remove(key) {
    this.memory.delete(key);
    try { this.storage.removeItem(key); } catch (_) { /* It was not stored there. */ }
  }
}

// --- The server

/** A refusal. `code` is the server's, or `NETWORK`, or `SERVER` for a server that failed. */
class Refusal extends Error {
  constructor(code, { detail = '', retryAfter = 0, attemptsLeft = null, reference = '' } = {}) {
    super(code);
    Object.assign(this, { code, detail, retryAfter, attemptsLeft, reference });
  }
}

class Server {
  constructor(origin, apiKey) {
    this.origin = origin;
    this.apiKey = apiKey;
  }

  /** Sends one request. A form is sent as a form; any other body is sent as JSON. */
  async call(path, body, { signal, language, cache = 'no-store' } = {}) {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const timer = setTimeout(stop, FETCH_LIMIT_MS);
    if (signal) signal.addEventListener('abort', stop);
    const headers = {};
    // Either header causes a CORS preflight request, which a form avoids.
    if (body && !(body instanceof URLSearchParams)) {
      headers['Content-Type'] = 'application/json';
      headers['X-Client-Version'] = clientVersion();
    }
    if (language) headers['X-Firebase-Locale'] = language;
    let response, text;
    try {
      response = await fetch(this.origin + path + (path.includes('?') ? '&' : '?') + 'key='
        + encodeURIComponent(this.apiKey), {
        method: body ? 'POST' : 'GET', headers, cache, credentials: 'omit', signal: abort.signal,
        body: body && (body instanceof URLSearchParams ? body : JSON.stringify(body)),
      });
      text = await response.text();
    } catch (_) {
      throw new Refusal('NETWORK');
    } finally {
      clearTimeout(timer);
      if (signal) signal.removeEventListener('abort', stop);
    }
    let answer = null;
    try { answer = JSON.parse(text); } catch (_) { /* An error page of a proxy. */ }
    if (response.ok && answer) return answer;
    // OAuth's errors are words (RFC 6749 § 5.2).
    const error = answer && answer.error ? answer.error.message || answer.error : '';
    const [code, detail] = String(error).split(' : ');
    const left = response.headers.get('Dialtone-Attempts-Left');
    throw new Refusal(response.status < 500 && /^([A-Z_]+|[a-z_]+)$/.test(code) ? code : 'SERVER', {
      detail,
      retryAfter: Number(response.headers.get('Retry-After')) || 0,
      attemptsLeft: left === null ? null : Number(left),
      reference: response.headers.get('Dialtone-Reference') || '',
    });
  }
}

// --- The signed-in user

/** The codes with which a user's request is refused if the session is over, or if the ID token was revoked. */
const REVOKED = /^(TOKEN_EXPIRED|INVALID_ID_TOKEN|USER_NOT_FOUND|USER_DISABLED)$/;

function claimsOf(idToken) {
  const part = idToken.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (byte) => byte.charCodeAt(0))));
}

/** Returns the uid in tokens; null if they are not tokens. */
function uidOf(tokens) {
  try { return claimsOf(tokens.idToken).sub; } catch (_) { return null; }
}

/** Returns the tokens of a response with their expiry by this browser's clock, which may be wrong. */
function received({ idToken, refreshToken }) {
  const { iat, exp } = claimsOf(idToken);
  return { idToken, refreshToken, end: Date.now() + (exp - iat) * 1000 };
}

/** A signed-in user. Several tabs share the tokens, and only one of them refreshes the tokens at a time. */
class DialtoneUser {
  #server; #storage; #key; #tokens; #refresh; #ended;

  constructor(server, storage, key, tokens, ended = () => {}) {
    this.#server = server;
    this.#storage = storage;
    this.#key = key;
    this.#ended = ended;
    this.#take(tokens);
  }

  #take(tokens) {
    this.#tokens = tokens;
    const claims = claimsOf(tokens.idToken);
    this.uid = claims.sub;
    this.phoneNumber = claims.phone_number || null;
    this.email = claims.email || null;
    this.isAnonymous = claims.provider_id === 'anonymous';
  }

  /** Resolves to an ID token that is valid for a few minutes at least. */
  async getIdToken(forceRefresh = false) {
    const isNew = this.#adopt();
    if ((isNew || !forceRefresh) && this.#isFresh(this.#tokens)) return this.#tokens.idToken;
    this.#refresh = this.#refresh || this.#alone(() => this.#refreshed()).finally(() => { this.#refresh = null; });
    return this.#refresh;
  }

  /** The tokens, for the page that hands them to an app. */
  static tokensOf(user) { return user.#tokens; }

  /** Resolves to the URL that takes the user to an app with a code, for the page: see sign-in-redirect.js. */
  static async redirectOf(user, request) {
    const idToken = await user.getIdToken();
    return (await user.#server.call('/v2/accounts/authorizationCodes:issue', { idToken, ...request })).location;
  }

  /** Moves the tokens to another storage. */
  static move(user, storage) {
    const tokens = user.#storage.get(user.#key);
    if (tokens) storage.set(user.#key, tokens);
    user.#storage.remove(user.#key);
    user.#storage = storage;
  }

  /** Adopts the user's tokens that another tab or component has received since. Returns whether there are any. */
  #adopt() {
    const stored = this.#storage.get(this.#key);
    if (!stored || stored.idToken === this.#tokens.idToken || uidOf(stored) !== this.uid) return false;
    this.#take(stored);
    return true;
  }

  /** Returns whether tokens are valid for long enough. More time than they ever had: the clock was set back. */
  #isFresh({ idToken, end }) {
    const { iat, exp } = claimsOf(idToken), left = end - Date.now();
    return left > REFRESH_BEFORE_MS && left <= (exp - iat) * 1000;
  }

  /** Runs `work` while no other tab does. A browser that blocks storage also denies locks. */
  async #alone(work) {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    try {
      return await (navigator.locks ? navigator.locks.request(this.#key, begin) : begin());
    } catch (error) {
      if (hasBegun) throw error;
      return begin();
    }
  }

  async #refreshed() {
    if (this.#adopt() && this.#isFresh(this.#tokens)) return this.#tokens.idToken;
    const used = this.#tokens.refreshToken;
    // Meanwhile the user may have signed out, or another user may have signed in.
    const isKept = () => (this.#storage.get(this.#key) || {}).refreshToken === used;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: used });
    try {
      const answer = await this.#server.call('/v1/token', form);
      this.#take(received({ idToken: answer.id_token, refreshToken: answer.refresh_token }));
    } catch (refusal) {
      // Another tab may have changed a second factor, which revokes all tokens but those that it has received.
      if (this.#adopt() && this.#isFresh(this.#tokens)) return this.#tokens.idToken;
      if (/^(TOKEN_EXPIRED|USER_|INVALID_REFRESH)/.test(refusal.code)) {
        if (isKept()) this.#storage.remove(this.#key);
        this.#ended(this);
      }
      throw refusal;
    }
    if (isKept()) this.#storage.set(this.#key, this.#tokens);
    return this.#tokens.idToken;
  }
}

/** Returns the session of a sent message, and the seconds until another one can be sent. */
function sentMessage({ sessionInfo, resendAfter }) {
  return { info: sessionInfo, wait: Number(resendAfter) || RESEND_AFTER_S };
}

// --- Two ways to sign in: the REST interface, and the official SDK

class RestSignIn {
  constructor(server) {
    this.server = server;
    this.hasPasswords = true;
  }

  async sendEnrollmentCode(user, phoneNumber, verifier, language) {
    const answer = await this.server.call('/v2/accounts/mfaEnrollment:start', {
      idToken: await user.getIdToken(),
      phoneEnrollmentInfo: { phoneNumber, recaptchaToken: await verifier.verify(), ...CLIENT },
    }, { language });
    return sentMessage(answer.phoneSessionInfo);
  }

  async confirmCode(session, code, purpose, user) {
    const path = '/v1/accounts:signInWithPhoneNumber';
    const idToken = purpose === 'link' || purpose === 'enroll' ? await user.getIdToken() : undefined;
    if (purpose === 'enroll') {
      const body = { idToken, phoneVerificationInfo: { sessionInfo: session, code } };
      return this.#finish(await this.server.call('/v2/accounts/mfaEnrollment:finalize', body));
    }
    const operation = { link: 'LINK', reauthenticate: 'REAUTH' }[purpose];
    const answer = await this.server.call(path, { sessionInfo: session, code, idToken, operation }).catch((refusal) => {
      // The number has no account, so it is not the user's.
      if (purpose === 'reauthenticate' && refusal.code === 'USER_NOT_FOUND') refusal.code = 'OTHER_ACCOUNT';
      throw refusal;
    });
    if (!answer.temporaryProof) return this.#finish(answer);
    if (!user.isAnonymous) throw new Refusal('PHONE_NUMBER_EXISTS');
    // The number has an account, which replaces the anonymous one.
    const { phoneNumber, temporaryProof } = answer;
    return this.#finish(await this.server.call(path, { phoneNumber, temporaryProof }));
  }

  async confirmPassword(email, password) {
    const body = { email, password, returnSecureToken: true, ...CLIENT };
    return this.#finish(await this.server.call('/v1/accounts:signInWithPassword', body), email);
  }

  async signInAnonymously() {
    const answer = await this.server.call('/v1/accounts:signUp', { returnSecureToken: true, ...CLIENT });
    return this.#finish({ ...answer, isNewUser: true });
  }

  async sendFactorCode(factors, factor, verifier, language) {
    const answer = await this.server.call('/v2/accounts/mfaSignIn:start', {
      mfaPendingCredential: factors.credential, mfaEnrollmentId: factor.id,
      phoneSignInInfo: { recaptchaToken: await verifier.verify(), ...CLIENT },
    }, { language });
    return sentMessage(answer.phoneResponseInfo);
  }

  async confirmFactor(factors, factor, session, code) {
    const proof = session ? { phoneVerificationInfo: { sessionInfo: session, code } }
      : { mfaEnrollmentId: factor.id, totpVerificationInfo: { verificationCode: code } };
    const body = { mfaPendingCredential: factors.credential, ...proof };
    return this.#finish(await this.server.call('/v2/accounts/mfaSignIn:finalize', body));
  }

  #finish(answer, email) {
    if (!answer.mfaPendingCredential) return { tokens: answer, isNewUser: Boolean(answer.isNewUser) };
    const list = answer.mfaInfo.map((info) => ({
      id: info.mfaEnrollmentId, name: info.displayName || '', number: info.phoneInfo || '',
    }));
    return { factors: { credential: answer.mfaPendingCredential, list, email } };
  }
}

// --- Refusals, in both ways

/** The codes of refusals by the name of their text: the server's codes, those of the SDK itself, and our own. */
const CODES_BY_TEXT = {
  networkFailed: 'NETWORK', tooShort: 'TOO_SHORT', tooLong: 'TOO_LONG', regionNotAllowed: 'REGION',
  invalidNumber: 'INVALID_PHONE_NUMBER MALFORMED UNKNOWN_CALLING_CODE',
  missing: 'MISSING MISSING_CODE MISSING_EMAIL MISSING_PASSWORD MISSING_PHONE_NUMBER', codeIncomplete: 'LENGTH',
  notAllowed: 'OPERATION_NOT_ALLOWED PASSWORD_LOGIN_DISABLED ADMIN_ONLY_OPERATION UNSUPPORTED_TENANT_OPERATION',
  checkFailed: 'CAPTCHA_CHECK_FAILED MISSING_APP_CREDENTIAL INVALID_APP_CREDENTIAL',
  tooManyRequests: 'TOO_MANY_ATTEMPTS_TRY_LATER QUOTA_EXCEEDED', secondFactorUser: 'UNSUPPORTED_FIRST_FACTOR',
  disabled: 'USER_DISABLED', wrongCode: 'INVALID_CODE', codeExpired: 'SESSION_EXPIRED INVALID_SESSION_INFO',
  wrongPassword: 'INVALID_LOGIN_CREDENTIALS INVALID_PASSWORD EMAIL_NOT_FOUND', invalidEmail: 'INVALID_EMAIL',
  signInAgain: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN TOKEN_EXPIRED INVALID_ID_TOKEN MISSING_ID_TOKEN INVALID_REFRESH_TOKEN '
    + 'MISSING_REFRESH_TOKEN USER_SIGNED_OUT NULL_USER',
  refused: 'BLOCKING_FUNCTION_ERROR_RESPONSE LOGIN_BLOCKED', numberTaken: 'PHONE_NUMBER_EXISTS',
  startAgain: 'USER_NOT_FOUND INVALID_MFA_PENDING_CREDENTIAL MISSING_MFA_PENDING_CREDENTIAL MISSING_CREDENTIAL '
    + 'MFA_ENROLLMENT_NOT_FOUND MISSING_MFA_ENROLLMENT_ID MISSING_SESSION_INFO INVALID_TEMPORARY_PROOF '
    + 'SESSION_NOT_FOUND MISSING_SESSION_ID',
  otherAccount: 'OTHER_ACCOUNT', factorExists: 'SECOND_FACTOR_EXISTS', factorLimit: 'SECOND_FACTOR_LIMIT_EXCEEDED',
  unverifiedEmail: 'UNVERIFIED_EMAIL', serverFailed: 'SERVER ABORTED INVALID_ARGUMENT',
};

const TEXT_OF_CODE = Object.fromEntries(Object.entries(CODES_BY_TEXT).flatMap(
  ([text, codes]) => codes.split(' ').map((code) => [code, text])));

/** The SDK's codes that are not just the server's codes in lowercase. */
const SDK_CODES = {
  'invalid-verification-code': 'INVALID_CODE', 'code-expired': 'SESSION_EXPIRED',
  'invalid-verification-id': 'INVALID_SESSION_INFO', 'too-many-requests': 'TOO_MANY_ATTEMPTS_TRY_LATER',
  'network-request-failed': 'NETWORK', timeout: 'NETWORK', 'invalid-credential': 'INVALID_LOGIN_CREDENTIALS',
  'wrong-password': 'INVALID_PASSWORD', 'user-not-found': 'EMAIL_NOT_FOUND',
  'invalid-multi-factor-session': 'INVALID_MFA_PENDING_CREDENTIAL',
  'requires-recent-login': 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'credential-already-in-use': 'PHONE_NUMBER_EXISTS',
  'account-exists-with-different-credential': 'PHONE_NUMBER_EXISTS', 'user-mismatch': 'OTHER_ACCOUNT',
  'user-token-expired': 'TOKEN_EXPIRED', 'invalid-user-token': 'INVALID_ID_TOKEN',
  'second-factor-already-in-use': 'SECOND_FACTOR_EXISTS', 'multi-factor-info-not-found': 'MFA_ENROLLMENT_NOT_FOUND',
  'maximum-second-factor-count-exceeded': 'SECOND_FACTOR_LIMIT_EXCEEDED',
  'admin-restricted-operation': 'ADMIN_ONLY_OPERATION',
};

/** Returns the refusal that an error is, whichever way it came. */
function refusalOf(error) {
  if (error instanceof Refusal) return error;
  const { code = '', message = '' } = error || {}, name = String(code).replace(/^auth\//, '');
  // The SDK's message has the server's explanation.
  const detail = String(message).replace(/^Firebase: (.*) \(auth\/[^)]*\)\.?$/s, '$1');
  // The SDK has one code for a denial by a hook and for faults of the server.
  const known = /^\(\(HTTP request to .* returned HTTP error/.test(detail) && name === 'internal-error'
    ? 'BLOCKING_FUNCTION_ERROR_RESPONSE' : SDK_CODES[name] || name.toUpperCase().replace(/-/g, '_');
  return new Refusal(TEXT_OF_CODE[known] ? known : 'SERVER', { detail });
}

class SdkSignIn {
  constructor(auth, sdk) {
    this.auth = auth;
    this.sdk = sdk;
    this.hasPasswords = Boolean(sdk.signInWithEmailAndPassword);
  }

  async confirmCode(session, code, purpose, user) {
    const { PhoneAuthProvider, reauthenticateWithCredential, signInWithCredential, updatePhoneNumber } = this.sdk;
    const credential = PhoneAuthProvider.credential(session, code);
    if (purpose === 'enroll') {
      await this.sdk.multiFactor(user).enroll(this.sdk.PhoneMultiFactorGenerator.assertion(credential));
      return { user, isNewUser: false };
    }
    if (purpose === 'reauthenticate') return this.#finish(reauthenticateWithCredential(user, credential));
    if (purpose !== 'link') return this.#finish(signInWithCredential(this.auth, credential));
    try {
      // Unlike linkWithCredential, it also replaces a number.
      await updatePhoneNumber(user, credential);
      return { user, isNewUser: false };
    } catch (error) {
      const other = refusalOf(error).code === 'PHONE_NUMBER_EXISTS' && user.isAnonymous
        && PhoneAuthProvider.credentialFromError(error);
      if (!other) throw error;
      return this.#finish(signInWithCredential(this.auth, other));
    }
  }

  signInAnonymously() {
    return this.#finish(this.sdk.signInAnonymously(this.auth));
  }

  confirmPassword(email, password, purpose, user) {
    const { EmailAuthProvider, reauthenticateWithCredential, signInWithEmailAndPassword } = this.sdk;
    return this.#finish(purpose === 'reauthenticate'
      ? reauthenticateWithCredential(user, EmailAuthProvider.credential(email, password))
      : signInWithEmailAndPassword(this.auth, email, password));
  }

  async sendFactorCode({ resolver }, factor, verifier) {
    return this.#send({ multiFactorHint: factor.hint, session: resolver.session }, verifier);
  }

  async sendEnrollmentCode(user, phoneNumber, verifier) {
    return this.#send({ phoneNumber, session: await this.sdk.multiFactor(user).getSession() }, verifier);
  }

  async #send(options, verifier) {
    const provider = new this.sdk.PhoneAuthProvider(this.auth);
    return sentMessage({ sessionInfo: await provider.verifyPhoneNumber(options, verifier) });
  }

  confirmFactor({ resolver }, factor, session, code) {
    const { PhoneAuthProvider, PhoneMultiFactorGenerator, TotpMultiFactorGenerator } = this.sdk;
    const assertion = session
      ? PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(session, code))
      : TotpMultiFactorGenerator.assertionForSignIn(factor.id, code);
    return this.#finish(resolver.resolveSignIn(assertion));
  }

  async #finish(request) {
    try {
      const credential = await request, { getAdditionalUserInfo } = this.sdk;
      const { isNewUser = false } = getAdditionalUserInfo && getAdditionalUserInfo(credential) || {};
      return { user: credential.user, isNewUser };
    } catch (error) {
      if (!error || error.code !== 'auth/multi-factor-auth-required' || !this.sdk.getMultiFactorResolver) throw error;
      const resolver = this.sdk.getMultiFactorResolver(this.auth, error);
      const list = resolver.hints.map((hint) => ({
        hint, id: hint.uid, name: hint.displayName || '', number: hint.phoneNumber || '',
      }));
      return { factors: { resolver, list } };
    }
  }
}

// --- The region of a user who has typed nothing

/**
 * Yields the regions of the preferred languages that are among `regions`. Most language tags name one of these. For
 * another tag, which has no region or an outdated code, such as `en-UK`, browsers take milliseconds to find the region.
 */
function* spokenRegions(regions) {
  for (const tag of navigator.languages || []) {
    let region = (tag.match(/^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i) || ['', ''])[1].toUpperCase();
    try { if (!regions.has(region)) region = new Intl.Locale(tag).maximize().region; } catch (_) { continue; }
    if (regions.has(region)) yield region;
  }
}

/**
 * Resolves to the region where the user probably is: the region of the time zone and, if it has several, one of the
 * preferred languages. Travelers, and people who read English anywhere, are where their clock is. Browsers take up to a
 * millisecond to name the zones of a region, so the page is drawn first, and other tasks run in between.
 */
async function likelyRegion(regions, drawn) {
  await drawn;
  let zone = null;
  try { zone = Intl.DateTimeFormat().resolvedOptions().timeZone; } catch (_) { /* The system's is unknown. */ }
  let sliceEnd = performance.now() + SLICE_MS;
  for (const region of new Set([...spokenRegions(regions), ...regions.keys()])) {
    if (performance.now() >= sliceEnd) {
      await pause(0);
      sliceEnd = performance.now() + SLICE_MS;
    }
    try {
      const locale = new Intl.Locale('und-' + region);
      if ((locale.getTimeZones ? locale.getTimeZones() : locale.timeZones || []).includes(zone)) return region;
    } catch (_) { /* The browser does not know the region. */ }
  }
  return firstRegion(regions);
}

/** Resolves when the next frame has been drawn; soon in any case, because hidden pages are not drawn. */
function nextFrame() {
  const frame = new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, DRAWN_MS)); });
  return Promise.race([frame, pause(10 * DRAWN_MS)]);
}

/** Returns the region of a user whose time zone is unknown. */
function firstRegion(regions) {
  return spokenRegions(regions).next().value || [...regions.keys()][0];
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// --- The list of countries: a combobox with a list box (ARIA APG)

class CountryList {
  constructor(component, chosen) {
    this.component = component;
    this.chosen = chosen;
    this.options = null;
    this.shown = [];
    this.active = -1;
    const { texts } = component;
    this.button = make('button', {
      type: 'button', class: 'country', part: 'country', 'aria-haspopup': 'listbox', 'aria-expanded': 'false',
      click: () => (this.panel.hidden ? this.open() : this.close()),
      keydown: (event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        this.open();
      },
    });
    this.search = make('input', {
      type: 'text', class: 'search', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'countries',
      'aria-autocomplete': 'list', 'aria-label': texts.search, placeholder: texts.search, autocomplete: 'off',
      autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'done', input: () => this.filter(),
      keydown: (event) => this.press(event),
    });
    this.list = make('ul', {
      id: 'countries', role: 'listbox', 'aria-label': texts.country,
      // The search field keeps the focus.
      mousedown: (event) => event.preventDefault(),
      click: (event) => {
        const option = event.target.closest('[role=option]');
        if (option) this.choose(option.dataset.region);
      },
    });
    this.nothing = make('p', { class: 'nothing', role: 'status' });
    this.panel = make('div', {
      class: 'panel', part: 'countries', hidden: true,
      focusout: (event) => { if (!this.panel.contains(event.relatedTarget)) this.close(false); },
    }, this.search, this.list, this.nothing);
  }

  show(region) {
    const entry = this.component.regions.get(region);
    if (!entry) return;
    this.region = region;
    const label = (name) => {
      this.button.setAttribute('aria-label', this.component.texts.country + ': ' + name + ' +' + entry.code);
    };
    label(region);
    this.component.drawn.then(() => { if (this.region === region) label(this.nameOf(region)); });
    this.button.replaceChildren(
      make('span', { class: 'region' }, region), make('span', { class: 'dial' }, '+' + entry.code),
      make('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
  }

  nameOf(region) {
    try { return this.component.names.of(region) || region; } catch (_) { return region; }
  }

  open() {
    if (!this.options) this.fillList();
    this.panel.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    this.search.value = '';
    this.filter();
    this.activate(this.shown.findIndex((option) => option.dataset.region === this.region));
    this.search.focus();
    // At a high zoom, the window ends above the list.
    this.panel.scrollIntoView({ block: 'nearest' });
  }

  close(takesFocus = true) {
    if (this.panel.hidden) return;
    this.panel.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    if (takesFocus) this.button.focus();
  }

  fillList() {
    const { regions, language } = this.component;
    const entries = [...regions].map(([region, { code }]) => ({ region, code, name: this.nameOf(region) }));
    entries.sort((a, b) => a.name.localeCompare(b.name, language));
    this.options = entries.map(({ region, code, name }) => {
      const option = make('li', { role: 'option', id: 'country-' + region, 'data-region': region },
        make('span', {}, name), ltr('+' + code));
      option.words = this.key(name) + ' ' + region.toLowerCase() + ' +' + code;
      return option;
    });
  }

  /** Returns a text without case and accents, for comparison. */
  key(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase(this.component.language);
  }

  filter() {
    const wanted = this.key(withASCIIDigits(this.search.value).trim());
    this.shown = this.options.filter(({ words }) => words.includes(wanted));
    // Names that begin with the text come first.
    if (wanted) this.shown.sort((a, b) => b.words.startsWith(wanted) - a.words.startsWith(wanted));
    this.list.replaceChildren(...this.shown);
    this.list.hidden = !this.shown.length;
    this.search.setAttribute('aria-expanded', String(!this.list.hidden));
    this.nothing.textContent = this.shown.length ? '' : this.component.texts.noCountry;
    this.activate(this.shown.length ? 0 : -1);
  }

  activate(index) {
    for (const option of this.options) {
      option.setAttribute('aria-selected', String(option.dataset.region === this.region));
      option.classList.remove('active');
    }
    this.active = index;
    const option = this.shown[index];
    if (!option) {
      this.search.removeAttribute('aria-activedescendant');
      return;
    }
    option.classList.add('active');
    this.search.setAttribute('aria-activedescendant', option.id);
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    const bottom = offsetTop + offsetHeight - this.list.clientHeight;
    if (bottom > this.list.scrollTop) this.list.scrollTop = bottom;
  }

  press(event) {
    const last = this.shown.length - 1;
    const moves = {
      ArrowDown: () => this.activate(this.active < last ? this.active + 1 : 0),
      ArrowUp: () => this.activate(this.active > 0 ? this.active - 1 : last),
      PageDown: () => this.activate(Math.min(this.active + 8, last)),
      PageUp: () => this.activate(Math.max(this.active - 8, 0)),
      Enter: () => { if (this.shown[this.active]) this.choose(this.shown[this.active].dataset.region); },
      Escape: () => this.close(),
    };
    const move = moves[event.key];
    if (!move || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  choose(region) {
    this.close(false);
    this.chosen(region);
  }
}

// --- The components

/**
 * What the components share: their settings, the server, the signed-in user, steps, and refusals in plain words. A
 * component has `showNext`, which shows the user's next step.
 */
class DialtoneElement extends HTMLElement {
  static observedAttributes = ['api-key', 'url', 'lang', 'persistence', 'mode'];

  #auth = null; #sdk = null; #unsubscribe = null; #isStarting = false; #pending = null; #isReady;
  /** The configuration in the page's document, for the first start. */
  preset = null;
  current = null;
  action = null;
  started = 0;
  ready = new Promise((resolve) => { this.#isReady = resolve; });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(BUILT.style);
    root.adoptedStyleSheets = [sheet];
    this.stage = make('div', { class: 'stage' });
    this.announcer = make('p', { class: 'unseen', role: 'status' });
    root.append(make('div', { class: 'card', part: 'card' }, this.stage, this.announcer));
  }

  /** The `Auth` of the official JS SDK in which users are signed in. Set `sdk`, too. */
  get auth() { return this.#auth; }
  set auth(auth) {
    this.#auth = auth;
    this.restart();
  }

  /** The functions of the SDK: the module `firebase/auth`, or an object with the functions that are needed. */
  get sdk() { return this.#sdk; }
  set sdk(sdk) {
    this.#sdk = sdk;
    this.restart();
  }

  /** The signed-in user; null if no one is. */
  get user() { return this.current; }

  connectedCallback() {
    this.listeners = {
      online: () => this.#resume(),
      // Another tab: `clear()` names no key.
      storage: ({ key }) => { if (key === null || key === this.userKey) this.follow(); },
      // Another page, before the browser went back to this one, which it had kept in memory.
      pageshow: ({ persisted }) => { if (persisted) this.follow(); },
      // Another component of this page.
      'dialtone-signed-in': (event) => { if (!this.isOwn(event)) this.follow(); },
      'dialtone-signed-out': (event) => { if (!this.isOwn(event)) this.follow(); },
      // A function of the module.
      'dialtone-stored': () => this.follow(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) window.addEventListener(name, listener);
    this.restart();
  }

  disconnectedCallback() {
    for (const [name, listener] of Object.entries(this.listeners)) window.removeEventListener(name, listener);
    this.started++;
    this.leave();
    if (this.#unsubscribe) this.#unsubscribe();
    this.#unsubscribe = null;
  }

  isOwn(event) {
    return this.contains(event.composedPath()[0]);
  }

  attributeChangedCallback(_, before, after) {
    if (before !== after) this.restart();
  }

  /** Forgets the user in this browser. */
  async signOut() {
    if (this.auth) return this.auth.signOut();
    if (this.users) this.users.remove(this.userKey);
    this.forget();
  }

  get userKey() { return 'dialtone-user:' + this.getAttribute('api-key'); }

  /** The end of the configuration's URL. */
  get page() { return ''; }

  // --- Hooks of the components

  /** Starts with the configuration that was just read. */
  begin() {}

  /** Returns whether an action of the user is in progress in the component; it ends by itself. */
  isActing() { return Boolean(this.action); }

  /** Records the state before an action. */
  beginAction() {}

  /** Ends what belongs to the step that is shown. */
  leave() {
    this.announce('');
    this.#pending = this.action = null;
  }

  /** Adopts the configuration that the server sent. */
  configure(configuration) {
    this.configuration = configuration;
    this.texts = configuration.texts;
    this.language = configuration.language;
    this.stage.lang = this.language;
    this.stage.dir = configuration.direction;
  }

  offlineTitle(language) {
    return BUILT.offlineTexts[language][3];
  }

  /** Gets new tokens after a refusal. Forgets the user if the session is over. */
  async checkSession() {
    await this.current.getIdToken(true);
  }

  /** Forgets the user, whose session is over. */
  forget() {
    const isKnown = this.current;
    this.current = null;
    this.leave();
    this.showNext();
    if (isKnown) this.tell('dialtone-signed-out', {});
  }

  // --- Start

  /** Starts over once all attributes and properties of the current task are set. */
  async restart() {
    if (!this.isConnected) return;
    const start = ++this.started;
    await null;
    if (start !== this.started || !this.isConnected) return;
    this.leave();
    if (this.#unsubscribe) this.#unsubscribe();
    this.#unsubscribe = null;
    const apiKey = this.getAttribute('api-key');
    if (!apiKey) throw failure('auth/argument-error', this.localName + ' needs an api-key');
    this.server = new Server(new URL(this.getAttribute('url') || own, document.baseURI).origin, apiKey);
    this.#useStorage(this.getAttribute('persistence') || 'local');
    this.wanted = this.lang || (this.closest('[lang]') || document.documentElement).lang || navigator.language || 'en';
    this.begin();
    await this.#load(start);
  }

  /** Moves to another storage: a signed-in user stays signed in, and no tokens are left behind. */
  #useStorage(name) {
    if (this.users && this.users.name === name) return;
    this.users = new SafeStorage(name);
    if (this.current instanceof DialtoneUser) DialtoneUser.move(this.current, this.users);
  }

  async #load(start) {
    let refusal = null;
    try {
      const configuration = this.preset || await this.server.call(
        '/v2/signInConfig?hl=' + encodeURIComponent(this.wanted) + this.page, null, { cache: 'default' });
      if (start !== this.started) return;
      this.preset = null;
      this.configure(configuration);
    } catch (thrown) {
      if (start !== this.started) return;
      refusal = refusalOf(thrown);
    }
    // What the previous step began ends with it.
    this.leave();
    if (this.auth && !refusal) {
      this.#isStarting = true;
      this.#unsubscribe = this.auth.onAuthStateChanged((user) => this.#becomes(user));
      return;
    }
    const isOther = !this.auth && this.#restore();
    if (refusal) this.#showUnreachable(refusal);
    else this.showNext();
    this.#isReady();
    if (isOther && this.current) {
      this.tell('dialtone-signed-in', {
        user: this.current, operation: 'signIn', isNewUser: false, isRestored: true, replacedUser: null,
      });
    }
  }

  /** Takes the user whom the browser stores, even if the server cannot be reached. Returns whether the user changed. */
  #restore() {
    const before = this.current, stored = this.users.get(this.userKey), uid = uidOf(stored);
    if (uid === (before && before.uid)) return false;
    this.current = uid && this.userWith(stored);
    if (before) this.tell('dialtone-signed-out', {});
    return true;
  }

  userWith(tokens) {
    return new DialtoneUser(this.server, this.users, this.userKey, tokens, (user) => {
      if (user === this.current) this.forget();
    });
  }

  /** Follows what another page did: the user may have signed in or out there. */
  follow() {
    if (this.auth || !this.users) return;
    if (uidOf(this.users.get(this.userKey)) !== (this.current && this.current.uid)) this.restart();
  }

  /** Follows the SDK's own state, which other parts of the app may change. */
  #becomes(user) {
    const before = this.current, isStarting = this.#isStarting;
    this.#isStarting = false;
    this.#isReady();
    if (user) {
      const isSame = before && before.uid === user.uid;
      this.current = user;
      if (this.isActing() || isSame && !isStarting) return;
      this.showNext();
      if (!isSame) {
        this.tell('dialtone-signed-in', {
          user, operation: 'signIn', isNewUser: false, isRestored: true, replacedUser: null,
        });
      }
    } else if (before) {
      this.forget();
    } else if (isStarting) {
      this.showNext();
    }
  }

  #showUnreachable(refusal) {
    const tags = [this.wanted, this.wanted.split(/[-_]/)[0], 'en'];
    if (tags[1] === 'zh') tags[1] = /hant|tw|hk|mo/i.test(this.wanted) ? 'zh-Hant' : 'zh-Hans';
    const language = tags.find((tag) => Object.hasOwn(BUILT.offlineTexts, tag));
    const [network, server, again] = BUILT.offlineTexts[language];
    this.stage.lang = language;
    this.stage.dir = /^(ar|he)$/.test(language) ? 'rtl' : 'ltr';
    this.#pending = () => this.restart();
    this.input = this.error = null;
    this.show('unreachable', make('div', { class: 'step' }, this.heading(this.offlineTitle(language), 'title'),
      make('p', { class: 'error shown', part: 'error', role: 'alert' }, refusal.code === 'NETWORK' ? network : server),
      make('button', { type: 'button', class: 'primary', part: 'button', click: () => this.restart() }, again)));
  }

  // --- Steps

  /** Shows a step. If the focus was in the previous step, it moves to the new one; otherwise it would be lost. */
  show(name, step, focused) {
    const hadFocus = this.shadowRoot.activeElement;
    this.dataset.step = name;
    this.stage.replaceChildren(step);
    const next = focused || (hadFocus ? this.input || step.querySelector('.title') : null);
    if (next) next.focus();
  }

  /** Returns a function that tells whether the current step is still shown and nothing has started over. */
  here() {
    const start = this.started, step = this.stage.firstChild;
    return () => start === this.started && step === this.stage.firstChild;
  }

  heading(text, slot) {
    const level = /^[1-6]$/.test(this.getAttribute('heading-level')) ? this.getAttribute('heading-level') : '2';
    const heading = make('h' + level, { class: 'title', part: 'title', id: 'title', tabindex: '-1' }, text);
    return slot ? make('slot', { name: slot }, heading) : heading;
  }

  /** Creates a form. Submitting it runs an action; only one action runs at a time. */
  form(action, ...children) {
    return make('form', {
      class: 'step', novalidate: true, 'aria-labelledby': 'title',
      submit: (event) => {
        event.preventDefault();
        this.act(action);
      },
    }, ...children);
  }

  field(name, label, attributes) {
    this.input = make('input', {
      class: 'input', part: 'input', id: name, name, 'aria-describedby': 'error', 'aria-required': 'true',
      ...attributes,
    });
    return [make('label', { for: name, part: 'label' }, label), this.input];
  }

  detail(...text) {
    return make('p', { class: 'detail', part: 'detail', id: 'detail' }, ...text);
  }

  errorLine() {
    this.error = make('p', { class: 'error', part: 'error', role: 'alert', id: 'error' });
    return this.error;
  }

  primary(text) {
    return make('button', { class: 'primary', part: 'button', type: 'submit' }, make('span', {}, text));
  }

  link(text, click) {
    return make('button', { class: 'link', part: 'link', type: 'button', click }, text);
  }

  announce(text) {
    this.announcer.textContent = text;
  }

  // --- Actions and refusals

  /** Runs one action of the user; a second press meanwhile does nothing. */
  async act(action) {
    if (this.action) return;
    this.action = action;
    this.beginAction();
    const step = this.stage.firstChild, isHere = this.here();
    this.#pending = null;
    this.showError('');
    step.setAttribute('aria-busy', 'true');
    try {
      await action();
    } catch (thrown) {
      const refusal = refusalOf(thrown);
      // An SDK tells that its user has signed out after it rejects.
      if (REVOKED.test(refusal.code) && this.current) await this.checkSession(refusal).catch(() => pause(0));
      if (!isHere()) return;
      if (refusal.code === 'NETWORK' && navigator.onLine === false) {
        this.#pending = () => this.act(action);
        this.showError(this.texts.offline);
      } else if (this.tell('dialtone-refused', { code: refusal.code, reference: refusal.reference })) {
        this.showRefusal(refusal);
      }
      if (!(thrown instanceof Refusal) && !(thrown && thrown.code)) console.error(thrown);
    } finally {
      if (this.action === action) this.action = null;
      step.removeAttribute('aria-busy');
    }
  }

  #resume() {
    const pending = this.#pending;
    this.#pending = null;
    if (pending) pending();
  }

  /** Shows lines of text, and the reference by which operators find the reason. */
  showError(text, reference = '') {
    if (!this.error) return;
    this.error.classList.toggle('shown', Boolean(text));
    this.error.replaceChildren(...text.split('\n').map((line) => make('span', {}, line)));
    if (reference) {
      this.error.append(make('small', { part: 'reference' },
        ...filled(this.texts.reference, { reference: ltr(reference) })));
    }
    if (this.input) this.input.setAttribute('aria-invalid', String(Boolean(text)));
  }

  time(seconds) {
    const [value, unit] = seconds < 90 ? [seconds, 'second']
      : seconds < 5400 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds / 3600), 'hour'];
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }

  plain(text, values) {
    return filled(text, values).join('');
  }

  /** The names of refusals' texts, by code. */
  get words() { return TEXT_OF_CODE; }

  showRefusal(refusal) {
    const { texts } = this;
    let text = texts[this.words[refusal.code] || 'serverFailed'];
    if (refusal.code === 'INVALID_PHONE_NUMBER') {
      text = { TOO_SHORT: texts.tooShort, TOO_LONG: texts.tooLong }[refusal.detail] || texts.invalidNumber;
    } else if (refusal.code === 'OPERATION_NOT_ALLOWED' && /region/.test(refusal.detail)) {
      text = texts.regionNotAllowed;
    } else if (/^(TOO_MANY_ATTEMPTS_TRY_LATER|QUOTA_EXCEEDED)$/.test(refusal.code)) {
      text = refusal.retryAfter
        ? this.plain(texts.tooManyRequestsFor, { time: this.time(refusal.retryAfter) })
        : this.isConfirming ? texts.attemptsSpent : texts.tooManyRequests;
    } else if (refusal.code === 'LENGTH') {
      text = this.plain(text, { number: String(this.configuration.codeLength) });
    } else if (refusal.attemptsLeft === 0) {
      text = texts.attemptsSpent;
    } else if (refusal.attemptsLeft !== null) {
      text += '\n' + this.plain(texts.attemptsLeft, { number: String(refusal.attemptsLeft) });
    }
    this.showError(text, refusal.reference);
    if (this.input) {
      this.input.focus();
      // A wrong code is replaced; a number is completed or corrected.
      if (this.isConfirming) this.input.select();
    }
  }

  /** Dispatches an event. Returns false if a listener prevents what follows. */
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable: true, detail }));
  }
}

// --- Sign-in

class DialtoneSignIn extends DialtoneElement {
  #otp = null; #timer = null; #reader = null; #names = null;

  /** Creates an anonymous user, to whose account a number given later is added. An SDK has its own function. */
  async signInAnonymously() {
    await this.ready;
    if (this.current) return this.current;
    const start = this.started, create = () => this.way.signInAnonymously();
    // An SDK tells its new user before it returns.
    this.action = this.action || create;
    try {
      const result = await create();
      if (start === this.started) {
        this.before = null;
        this.#finish(result);
      }
    } finally {
      if (this.action === create) this.action = null;
    }
    return this.current;
  }

  /**
   * Why a number or a password is requested: `link` adds it to the user's account, which may be anonymous; `enroll`
   * makes the number a second factor.
   */
  get #purpose() {
    const mode = this.getAttribute('mode');
    if (this.current && (mode === 'link' || this.current.isAnonymous)) return 'link';
    return this.current && (mode === 'reauthenticate' || mode === 'enroll') ? mode : 'signIn';
  }

  get #isForUser() { return this.#purpose === 'link' || this.#purpose === 'enroll'; }

  /** The key of stored drafts, one for each mode: a code that was sent for one purpose is not valid for another. */
  get #draftKey() {
    return ['dialtone-sign-in', this.getAttribute('api-key'), this.getAttribute('mode')].filter(Boolean).join(':');
  }

  begin() {
    this.drafts = this.drafts || new SafeStorage('session');
    this.way = this.auth && this.sdk ? new SdkSignIn(this.auth, this.sdk) : new RestSignIn(this.server);
  }

  /** Records the user, because an SDK changes its user before it returns. */
  beginAction() {
    const user = this.current;
    this.before = user && { user, uid: user.uid, isAnonymous: user.isAnonymous, purpose: this.#purpose };
  }

  /** Shows the user's next step. */
  showNext() {
    // Without the server's texts, no step can be shown.
    if (!this.texts) this.restart();
    else if (this.#purpose === 'signIn' && this.current) this.#showDone(false);
    else {
      try { this.#showDraft(); } catch (_) {
        // A draft that is malformed, such as one of another version of the component.
        this.drafts.remove(this.#draftKey);
        this.#showDraft();
      }
    }
  }

  configure(configuration) {
    super.configure(configuration);
    this.regions = new Map(configuration.regions.map(([region, code, example]) => [region, { code, example }]));
    this.#names = null;
    this.drawn = nextFrame();
    this.hasNumbers = (configuration.phoneSignIn || this.getAttribute('mode') === 'enroll') && this.regions.size > 0;
    this.hasPasswords = configuration.passwordSignIn && this.way.hasPasswords;
  }

  get words() {
    return {
      ...super.words,
      CREDENTIAL_TOO_OLD_LOGIN_AGAIN: this.#isForUser ? 'signInAgain' : 'numberRecycled',
    };
  }

  #showDraft() {
    const draft = this.drafts.get(this.#draftKey);
    const isRecent = draft && Math.abs(Date.now() - draft.at) < DRAFT_LIFE_MS;
    this.number = isRecent && draft.number || this.#purpose === 'reauthenticate' && this.current.phoneNumber || '';
    this.email = this.email || this.current && this.current.email || '';
    this.isGuess = !(isRecent && this.regions.has(draft.region));
    this.region = this.isGuess ? this.#guessRegion() : draft.region;
    this.factors = isRecent && draft.factors || null;
    this.factor = this.factors && this.factors.list.find(({ id }) => id === draft.factor) || null;
    this.session = isRecent && draft.session || null;
    if (this.session) {
      const left = Math.min(this.session.heldUntil - Date.now(), this.session.wait * 1000);
      this.heldUntil = performance.now() + left;
      return this.#showCode();
    }
    if (this.factors) return this.#showFactors();
    // A user without a number confirms with the password.
    const isByPassword = this.hasPasswords && this.#purpose === 'reauthenticate' && !this.number && this.email;
    if (this.hasNumbers && !isByPassword) this.#showNumber();
    else this.#showPassword();
  }

  /** The names of regions. Browsers take long to return the first one. */
  get names() {
    this.#names = this.#names || new Intl.DisplayNames([this.language], { type: 'region' });
    return this.#names;
  }

  /** Returns the language's region at first. The time zone's region follows, unless the user chooses another. */
  #guessRegion() {
    const { regions } = this;
    if (regions.has(this.likely)) return this.likely;
    this.guess = likelyRegion(regions, this.drawn).then((region) => {
      if (regions !== this.regions) return;
      this.likely = region;
      if (!this.isGuess) return;
      if (this.dataset.step === 'number') this.#setRegion(region);
      else this.region = region;
    });
    return firstRegion(regions);
  }

  /** Keeps what a reload must not lose. An SDK's resolver cannot be kept. */
  #keep() {
    const isLost = this.factors && this.factors.resolver;
    this.drafts.set(this.#draftKey, {
      at: Date.now(), number: this.number, region: this.region, session: isLost ? null : this.session,
      factors: isLost ? null : this.factors, factor: this.factor && !isLost ? this.factor.id : null,
    });
  }

  // --- Steps

  leave() {
    clearInterval(this.#timer);
    clearTimeout(this.reading);
    clearTimeout(this.checking);
    super.leave();
    this.style.removeProperty('--dialtone-progress');
    if (this.#otp) this.#otp.abort();
    if (this.#reader) this.#reader.abort();
    if (this.verifier) this.verifier.clear();
    this.#otp = this.#reader = null;
    for (const element of this.querySelectorAll('[slot=challenge]')) element.remove();
  }

  get #title() {
    const { texts } = this, mode = this.current && this.getAttribute('mode');
    return mode === 'link' || mode === 'enroll' ? texts.linkTitle
      : mode === 'reauthenticate' ? texts.confirmTitle : texts.title;
  }

  // --- Number

  #showNumber(focuses = this.hasAttribute('autofocus')) {
    const { texts } = this;
    this.isConfirming = false;
    this.session = this.factors = this.factor = null;
    this.countries = new CountryList(this, (region) => this.#chooseRegion(region));
    const field = this.field('number', texts.number, {
      type: 'tel', inputmode: 'tel', autocomplete: 'tel', dir: 'ltr', enterkeyhint: 'send', value: this.number,
      input: (event) => this.#typeNumber(event), paste: (event) => this.#pasteNumber(event),
      blur: () => this.#tidyNumber(),
    });
    const box = make('div', { class: 'box', part: 'box' }, this.countries.button, field[1], this.countries.panel);
    const form = this.form(() => this.#sendCode(), this.heading(this.#title, 'title'), field[0], box,
      this.errorLine(), make('slot', { name: 'challenge' }), this.primary(texts.send),
      this.hasPasswords && !/^(link|enroll)$/.test(this.getAttribute('mode'))
        ? this.link(texts.usePassword, () => this.#showPassword(true)) : null,
      make('slot', { name: 'terms' }));
    this.#setRegion(this.region);
    this.read = null;
    this.show('number', form, focuses ? this.input : null);
  }

  #setRegion(region) {
    if (region !== this.region) this.isGuess = false;
    this.region = region;
    this.countries.show(region);
    this.input.placeholder = (this.regions.get(region) || {}).example || '';
  }

  #chooseRegion(region) {
    this.isGuess = false;
    const before = this.regions.get(this.region), { code } = this.regions.get(region);
    const typed = digitsOf(this.input.value);
    if (typed[0] === '+') {
      const old = '+' + (before ? before.code : '');
      this.input.value = before && typed.startsWith(old) ? '+' + code + typed.slice(old.length) : '';
    }
    this.#setRegion(region);
    this.input.focus();
    this.#readSoon(0);
  }

  #pasteNumber(event) {
    const text = event.clipboardData && event.clipboardData.getData('text');
    if (!text) return;
    event.preventDefault();
    this.input.setRangeText(numberIn(text), this.input.selectionStart, this.input.selectionEnd, 'end');
    this.#typeNumber({ inputType: 'insertFromPaste' });
  }

  #typeNumber(event) {
    this.showError('');
    // Autofill, and anything that is not typed, may contain more than the number.
    if (!event.inputType && /[^\d+\s().-]/.test(this.input.value)) this.input.value = numberIn(this.input.value);
    this.isDeleting = /^delete/.test(event.inputType || '');
    const typed = digitsOf(this.input.value);
    if (typed[0] === '+') {
      this.isGuess = false;
      const current = this.regions.get(this.region);
      const codes = [...this.regions].filter(([, { code }]) => typed.startsWith('+' + code));
      const longest = codes.sort((a, b) => String(b[1].code).length - String(a[1].code).length)[0];
      if (longest && !(current && current.code === longest[1].code)) this.#setRegion(longest[0]);
    }
    this.#readSoon(READ_DELAY_MS);
  }

  #readSoon(delay) {
    clearTimeout(this.reading);
    // A number that is being sent is not read a second time: that would end the first reading.
    if (this.action || digitsOf(this.input.value).length < 3) return;
    this.reading = setTimeout(() => this.#readNumber().catch(() => { /* Sending shows what is wrong. */ }), delay);
  }

  /** Returns how the server reads the typed number, and formats the number. */
  async #readNumber() {
    const { input } = this;
    // The region in which a number without a country code is dialed.
    await this.guess;
    const text = input.value, { region } = this;
    if (this.read && this.read.text === text && this.read.region === region) return this.read.answer;
    if (this.#reader) this.#reader.abort();
    const reader = this.#reader = new AbortController();
    const ask = (phoneNumber) => this.server.call(
      '/v2/parsePhoneNumber', { phoneNumber, regionCode: region }, { signal: reader.signal });
    let answer = await ask(withASCIIDigits(text));
    const typed = digitsOf(text);
    // Another country's international prefix.
    if (!answer.valid && typed.startsWith('00')) {
      const other = await ask('+' + typed.slice(2));
      if (other.valid) answer = { ...other, asYouType: null };
    }
    if (this.input !== input || input.value !== text) return answer;
    this.read = { text, region, answer };
    if (answer.regionCode && this.regions.has(answer.regionCode)) {
      if (answer.regionCode !== this.region) this.#setRegion(answer.regionCode);
      this.read.region = this.region;
    }
    const isAtEnd = input.selectionStart === text.length;
    if (answer.asYouType && isAtEnd && !this.isDeleting && digitsOf(answer.asYouType) === typed) {
      input.value = this.read.text = answer.asYouType;
    }
    return answer;
  }

  /** Shows a complete number as it is usually written. */
  #tidyNumber() {
    const { read, input } = this;
    if (!read || read.text !== input.value || !read.answer.valid || read.answer.regionCode !== this.region) return;
    const isInternational = digitsOf(read.text)[0] === '+';
    input.value = read.text = isInternational ? read.answer.internationalFormat : read.answer.nationalFormat;
  }

  async #sendCode() {
    clearTimeout(this.reading);
    if (!digitsOf(this.input.value)) throw new Refusal('MISSING');
    const isHere = this.here();
    const answer = await this.#readNumber();
    if (!answer.phoneNumber) throw new Refusal(answer.reason || 'MALFORMED');
    if (answer.regionAllowed === false) throw new Refusal('REGION');
    if (answer.accepted === false) throw new Refusal('MALFORMED');
    this.number = this.input.value;
    // The app may ask for something else first, such as a new sign-in.
    this.#keep();
    const sent = await this.#sendTo(answer.phoneNumber);
    if (!isHere()) return;
    this.#beginSession(sent, { number: answer.phoneNumber, shown: answer.internationalFormat });
    this.#showCode(true);
  }

  #beginSession({ info, wait }, session) {
    this.session = { ...session, info };
    this.#holdMessages(wait);
  }

  /**
   * Makes the user wait before another message. The browser's clock, which may change, counts only after a reload;
   * until then a monotonic clock does.
   */
  #holdMessages(seconds) {
    Object.assign(this.session, { wait: seconds, heldUntil: Date.now() + seconds * 1000 });
    this.heldUntil = performance.now() + seconds * 1000;
    this.#keep();
  }

  async #sendTo(phoneNumber) {
    const send = async () => (this.#purpose === 'enroll'
      ? this.way.sendEnrollmentCode(this.current, phoneNumber, this.#proof(), this.language)
      : sentMessage(await this.server.call('/v1/accounts:sendVerificationCode', {
        phoneNumber, recaptchaToken: await this.#prove(), ...CLIENT,
      }, { language: this.language })));
    try {
      return await send();
    } catch (refusal) {
      // The server may ask for harder work, once.
      if (refusalOf(refusal).code !== 'CAPTCHA_CHECK_FAILED') throw refusal;
      return send();
    }
  }

  // --- Proof that the client is not a robot

  #proof() {
    return { type: 'recaptcha', verify: () => this.#prove(), _reset() {}, clear() {} };
  }

  async #prove() {
    const isHere = this.here();
    const token = await (this.configuration.provider ? this.#askProvider() : this.#work());
    // No message is sent for a step that the user has left meanwhile.
    if (!isHere()) throw new Refusal('LEFT');
    return token;
  }

  async #work() {
    // Short work is not announced.
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.announce(this.texts.checking), 1000);
    const { origin, apiKey } = this.server;
    this.verifier = new DialtoneVerifier({
      apiKey, url: origin, onProgress: (share) => this.style.setProperty('--dialtone-progress', share),
    });
    try {
      return await this.verifier.verify();
    } finally {
      clearTimeout(this.checking);
      this.style.removeProperty('--dialtone-progress');
    }
  }

  async #askProvider() {
    const { provider } = this.configuration;
    const api = await this.#loadProvider(provider);
    if (!provider.isInvisible) this.announce(this.texts.confirm);
    return new Promise((resolve, reject) => {
      // Widgets look for their own elements in the document, so theirs is a child of the component, in a slot.
      const place = make('div', { slot: 'challenge' });
      for (const old of this.querySelectorAll('[slot=challenge]')) old.remove();
      this.append(place);
      const widget = api.render(place, {
        sitekey: provider.siteKey,
        size: provider.isInvisible ? 'invisible' : this.clientWidth < 340 ? 'compact' : 'normal',
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: (token) => { place.remove(); resolve(token); },
        'error-callback': () => { place.remove(); reject(new Refusal('NETWORK')); },
        'expired-callback': () => api.reset(widget),
      });
      if (provider.isInvisible) api.execute(widget);
    });
  }

  #loadProvider({ name, script }) {
    if (window[name] && window[name].render) return Promise.resolve(window[name]);
    return new Promise((resolve, reject) => {
      const element = make('script', { src: script, async: true });
      element.nonce = this.nonce;
      const lost = () => { element.remove(); reject(new Refusal('NETWORK')); };
      const timer = setTimeout(lost, FETCH_LIMIT_MS);
      window.widgetLoaded = () => { clearTimeout(timer); resolve(window[name]); };
      element.onerror = () => { clearTimeout(timer); lost(); };
      document.head.append(element);
    });
  }

  // --- Code of a message, of the first or the second factor

  #showCode(focuses = this.hasAttribute('autofocus')) {
    const { texts, configuration } = this;
    this.isConfirming = true;
    this.refused = null;
    const field = this.field('code', texts.code, {
      type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', dir: 'ltr', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'done', class: 'input code', 'aria-describedby': 'detail error',
      input: () => this.#typeCode(),
      paste: (event) => {
        const text = event.clipboardData && event.clipboardData.getData('text');
        if (!text) return;
        event.preventDefault();
        this.#fillCode(codeIn(text, configuration.codeLength));
      },
    });
    this.resend = make('button', {
      type: 'button', class: 'secondary', part: 'resend', click: async () => {
        const isHere = this.here();
        await this.act(() => this.#sendAgain());
        // The code may have been entered meanwhile.
        if (isHere()) this.#submitCode();
      },
    });
    const back = this.factor ? this.link(texts.otherWay, () => this.#showFactors(true, true))
      : this.link(texts.changeNumber, () => this.#changeNumber());
    const form = this.form(() => this.#confirmCode(), this.heading(texts.codeTitle),
      this.detail(...filled(texts.codeSent, { number: ltr(this.session.shown) })), ...field, this.errorLine(),
      make('slot', { name: 'challenge' }), this.primary(texts.verify), this.resend, back);
    this.show('code', form, focuses ? this.input : null);
    this.#countDown();
    this.#timer = setInterval(() => this.#countDown(), 1000);
    this.#awaitMessage();
  }

  #changeNumber() {
    this.leave();
    this.session = null;
    this.#keep();
    this.#showNumber(true);
  }

  #countDown() {
    const { texts } = this;
    const end = Math.min(this.heldUntil - performance.now(), this.session.heldUntil - Date.now());
    const left = Math.min(Math.ceil(end / 1000), 86400);
    this.resend.setAttribute('aria-disabled', String(left > 0));
    const time = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
    const text = left > 0 ? this.plain(texts.resendIn, { time: '\u2066' + time + '\u2069' }) : texts.resend;
    if (this.resend.textContent !== text) this.resend.textContent = text;
  }

  /** Reads the code from the message on Android, with the user's consent (WebOTP). */
  async #awaitMessage() {
    if (!('OTPCredential' in window)) return;
    if (this.#otp) this.#otp.abort();
    const otp = this.#otp = new AbortController();
    try {
      const credential = await navigator.credentials.get({ otp: { transport: ['sms'] }, signal: otp.signal });
      if (credential && otp === this.#otp) this.#fillCode(codeIn(credential.code, this.configuration.codeLength));
    } catch (_) { /* The user declined, or the step was left. */ }
  }

  #fillCode(code) {
    this.input.value = code;
    this.#typeCode();
  }

  #typeCode() {
    const { input } = this;
    const code = codeIn(input.value, this.configuration.codeLength);
    if (input.value !== code) input.value = code;
    this.showError('');
    this.#submitCode();
  }

  /** Confirms a complete code, unless it was already rejected. */
  #submitCode() {
    const { value } = this.input;
    if (value.length !== this.configuration.codeLength || value === this.refused) return;
    this.act(() => this.#confirmCode());
  }

  #confirmCode() {
    const { session, factors, factor } = this;
    return this.#confirm((code) => (factor ? this.way.confirmFactor(factors, factor, session && session.info, code)
      : this.way.confirmCode(session.info, code, this.#purpose, this.current)));
  }

  /** Ends the step with the server's response to the code, unless the user has left the step meanwhile. */
  async #confirm(request, length = this.configuration.codeLength) {
    const code = this.input.value.trim(), isHere = this.here();
    if (!code) throw new Refusal('MISSING');
    if (length && code.length !== length) throw new Refusal('LENGTH');
    let result;
    try {
      result = await request(code);
    } catch (error) {
      const { code: reason } = refusalOf(error);
      if (isHere() && reason !== 'NETWORK' && reason !== 'SERVER') this.refused = code;
      throw error;
    }
    if (isHere()) this.#finish(result);
  }

  async #sendAgain() {
    if (this.resend.getAttribute('aria-disabled') === 'true') return;
    const { session, factor } = this;
    const isHere = this.here();
    try {
      const sent = await (factor
        ? this.way.sendFactorCode(this.factors, factor, this.#proof(), this.language) : this.#sendTo(session.number));
      if (!isHere()) return;
      this.#beginSession(sent, session);
    } catch (error) {
      const { retryAfter } = refusalOf(error);
      if (isHere() && retryAfter) this.#holdMessages(retryAfter);
      throw error;
    } finally {
      if (isHere()) this.#countDown();
    }
    if (this.input.value === this.refused) this.input.value = '';
    this.refused = null;
    this.input.focus();
    this.announce(this.texts.resent);
    this.#awaitMessage();
  }

  // --- E-mail and password

  #showPassword(focuses = this.hasAttribute('autofocus')) {
    this.leave();
    const { texts } = this;
    this.isConfirming = false;
    const password = this.field('password', texts.password, {
      type: 'password', autocomplete: 'current-password', dir: 'ltr', enterkeyhint: 'go',
    });
    const email = this.field('email', texts.email, {
      type: 'email', inputmode: 'email', autocomplete: 'username', dir: 'ltr', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'next', value: this.email || '',
    });
    const form = this.form(() => this.#confirmPassword(email[1], password[1]), this.heading(this.#title, 'title'),
      ...email, ...password, this.errorLine(),
      this.primary(this.#purpose === 'reauthenticate' ? texts.verify : texts.title),
      this.hasNumbers ? this.link(texts.usePhone, () => { this.leave(); this.#showNumber(true); }) : null,
      make('slot', { name: 'terms' }));
    this.show('password', form, focuses ? email[1] : null);
  }

  async #confirmPassword(email, password) {
    this.input = email.value.trim() ? password : email;
    for (const field of [email, password]) field.removeAttribute('aria-invalid');
    if (!this.input.value) throw new Refusal('MISSING');
    this.email = email.value.trim();
    const isHere = this.here();
    let result;
    try {
      result = await this.way.confirmPassword(this.email, password.value, this.#purpose, this.current);
    } catch (error) {
      if (isHere() && refusalOf(error).code === 'INVALID_EMAIL') this.input = email;
      throw error;
    }
    if (isHere()) this.#finish(result);
  }

  // --- Second factors

  #showFactors(focuses = false, asks = false) {
    this.leave();
    const { texts, factors } = this;
    this.isConfirming = false;
    this.session = this.factor = null;
    this.#keep();
    if (factors.list.length === 1 && !factors.list[0].number && !asks) return this.#showApp(factors.list[0], focuses);
    const choice = (text, name, click) => make('button', { type: 'button', class: 'choice', part: 'choice', click },
      make('span', {}, ...text), name ? make('small', {}, name) : null);
    const form = this.form(() => {}, this.heading(texts.factorTitle),
      this.detail(texts.factorChoice),
      make('div', { class: 'choices' },
        ...factors.list.map((factor) => (factor.number
          ? choice(filled(texts.factorPhone, { number: ltr(this.#masked(factor)) }), factor.name,
            () => this.act(() => this.#sendFactorCode(factor)))
          : choice([texts.factorApp], factor.name, () => this.#showApp(factor, true)))),
        choice([texts.recovery], '', () => this.#showApp(factors.list[0], true, true))),
      this.errorLine(), make('slot', { name: 'challenge' }), this.link(texts.startOver, () => this.#startOver()));
    this.input = null;
    this.show('factors', form, focuses ? form.querySelector('.title') : null);
  }

  #masked({ number }) {
    return '•••• ' + number.slice(-4);
  }

  async #sendFactorCode(factor) {
    const isHere = this.here();
    const sent = await this.way.sendFactorCode(this.factors, factor, this.#proof(), this.language);
    if (!isHere()) return;
    this.factor = factor;
    this.#beginSession(sent, { shown: this.#masked(factor) });
    this.#showCode(true);
  }

  #showApp(factor, focuses, isRecovery = false) {
    this.leave();
    const { texts } = this;
    this.isConfirming = true;
    this.refused = null;
    this.factor = factor;
    this.session = null;
    const recovery = { type: 'text', autocomplete: 'off', autocapitalize: 'characters' };
    const app = {
      type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', class: 'input code',
      input: () => this.#typeCode(),
    };
    const field = this.field('code', isRecovery ? texts.recovery : texts.code, {
      dir: 'ltr', spellcheck: 'false', enterkeyhint: 'done', 'aria-describedby': 'detail error',
      ...(isRecovery ? recovery : app),
    });
    const confirmRecovery = () => this.#confirm(
      (code) => this.way.confirmFactor(this.factors, factor, null, code), null);
    const form = this.form(isRecovery ? confirmRecovery : () => this.#confirmCode(),
      this.heading(texts.factorTitle), this.detail(isRecovery ? texts.recoveryDetail : texts.appDetail), ...field,
      this.errorLine(), this.primary(texts.verify),
      this.link(texts.otherWay, () => this.#showFactors(true, true)),
      this.link(texts.startOver, () => this.#startOver()));
    this.show(isRecovery ? 'recovery' : 'app', form, focuses ? this.input : null);
  }

  #startOver() {
    this.leave();
    this.drafts.remove(this.#draftKey);
    this.factors = this.factor = this.session = null;
    if (this.hasNumbers) this.#showNumber(true);
    else this.#showPassword(true);
  }

  // --- Signed in

  #finish({ tokens, user, isNewUser, factors }) {
    if (factors) {
      this.leave();
      this.factors = factors;
      this.#showFactors(true);
      return;
    }
    const { before } = this, isSame = before && before.uid === (tokens ? uidOf(tokens) : user.uid);
    if (before && before.purpose === 'reauthenticate' && !isSame) throw new Refusal('OTHER_ACCOUNT');
    this.leave();
    this.drafts.remove(this.#draftKey);
    this.number = '';
    if (tokens) {
      const kept = received(tokens);
      this.users.set(this.userKey, kept);
      user = this.userWith(kept);
    }
    this.current = user;
    if (user.isAnonymous) this.showNext();
    else this.#showDone(true);
    this.tell('dialtone-signed-in', {
      user, operation: isSame ? before.purpose : 'signIn', isNewUser, isRestored: false,
      replacedUser: before && before.isAnonymous && !isSame ? before.user : null,
    });
  }

  #showDone(focuses) {
    this.leave();
    const { texts } = this;
    const { phoneNumber, email } = this.current;
    this.error = this.input = null;
    const tick = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    tick.setAttribute('viewBox', '0 0 48 48');
    tick.setAttribute('aria-hidden', 'true');
    tick.setAttribute('class', 'tick');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', 'm14 24.5 7 7 13-14');
    tick.append(path);
    const heading = this.heading(texts.doneTitle);
    const step = make('div', { class: 'step done' }, make('slot', { name: 'signed-in' }, tick, heading,
      this.detail(ltr(phoneNumber || email || '')),
      make('button', { type: 'button', class: 'secondary', part: 'button', click: () => this.signOut() },
        texts.signOut)));
    this.show('done', step, focuses ? heading : null);
  }

  forget() {
    this.email = '';
    if (this.drafts) this.drafts.remove(this.#draftKey);
    super.forget();
  }
}

if (!customElements.get('dialtone-sign-in')) customElements.define('dialtone-sign-in', DialtoneSignIn);

// --- The page of the server, in a window

/**
 * Opens the server's sign-in page in a window, and resolves to a `DialtoneUser`; rejects with an Error whose `code` is
 * `auth/popup-blocked` or `auth/popup-closed-by-user`. Call it in a click. The page hands the tokens to this page's
 * origin only, which must be one of the project's authorized domains, so that no URL contains a token.
 */
function signInWithPage({ apiKey, url = own, persistence = 'local' }) {
  const server = new Server(new URL(url, document.baseURI).origin, apiKey);
  const query = new URLSearchParams({ apiKey, continueUrl: location.origin + '/', hl: document.documentElement.lang });
  const address = server.origin + '/__/auth/sign-in?' + query;
  const page = window.open(address, 'dialtone-sign-in', 'popup,width=460,height=720');
  if (!page) return Promise.reject(failure('auth/popup-blocked', 'the window was blocked'));
  return new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
    };
    const hear = (event) => {
      // A page of another project may have been opened in the same window since.
      const { dialtone, apiKey: owner } = event.data || {};
      if (event.origin !== server.origin || event.source !== page || !dialtone || owner !== apiKey) return;
      end();
      const storage = new SafeStorage(persistence), key = 'dialtone-user:' + apiKey;
      const tokens = received(dialtone);
      storage.set(key, tokens);
      window.dispatchEvent(new Event('dialtone-stored'));
      resolve(new DialtoneUser(server, storage, key, tokens));
    };
    let looks = 0;
    const watch = setInterval(() => {
      // A page that has closed itself may have sent a message just before, which is still on its way.
      if (!page.closed || ++looks < 3) return;
      end();
      reject(failure('auth/popup-closed-by-user', 'the window was closed'));
    }, 500);
    window.addEventListener('message', hear);
  });
}
