// The signed-in user.

const REFRESH_BEFORE_MS = 300000;

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
