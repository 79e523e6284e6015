// DialtoneVerifier: an ApplicationVerifier for the official Firebase JS SDK without user interaction.
//
//   <script src="https://auth.example.com/__/auth/verifier.js" crossorigin></script>
//   signInWithPhoneNumber(auth, number, new DialtoneVerifier({ apiKey: "…" }))
//
// Without `crossorigin`, the browser uses different connections for the script and for the SDK's calls.
//
// Each call of verify() solves a new challenge, because a token is single use.
const FETCH_LIMIT_MS = 15000;

function failure(code, message) {
  const error = new Error('Dialtone: ' + message + ' (' + code + ').');
  error.code = code;
  return error;
}

class DialtoneVerifier {
  /**
   * `apiKey` is the project's; `url` is the server's origin, by default the origin of this script (`own`).
   * `onProgress` is optional and is called with the completed share of the work, from 0 to 1.
   */
  constructor({ apiKey, url, onProgress } = {}) {
    const base = url || own;
    if (!apiKey || !base) {
      throw failure('auth/argument-error', 'DialtoneVerifier needs an apiKey, and a url if its script is bundled');
    }
    this.type = 'recaptcha';
    this.apiKey = apiKey;
    this.origin = new URL(base, document.baseURI).origin;
    this.onProgress = onProgress;
    this.work = null;
  }

  /** Resolves to a token for one request. Rejects with an Error whose `code` is one of the SDK's own. */
  async verify() {
    const challenge = await this.post('challenge', {});
    const work = solveInBackground(challenge, (number) => {
      if (this.onProgress) this.onProgress(Math.min(1, number / challenge.maxnumber));
    });
    this.work = work;
    const number = await work.number;
    if (this.work === work) this.work = null;
    if (number < 0) throw failure('auth/captcha-check-failed', 'the challenge has no solution');
    const { token } = await this.post('verify', { solution: solutionOf(challenge, number) });
    if (typeof token !== 'string') throw failure('auth/internal-error', 'the server answered without a token');
    return token;
  }

  /** The SDK calls this after each request. The verifier has no state to reset. */
  _reset() {}

  /** Cancels the work in progress, for a page that no longer needs it. */
  clear() {
    if (this.work) this.work.stop();
    this.work = null;
  }

  async post(name, body) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), FETCH_LIMIT_MS);
    let response, answer;
    try {
      response = await fetch(this.origin + '/__/auth/' + name + '?apiKey=' + encodeURIComponent(this.apiKey), {
        // Bytes have no media type of their own, so the request has no Content-Type and needs no preflight (CORS).
        method: 'POST', body: new TextEncoder().encode(JSON.stringify(body)),
        signal: abort.signal, credentials: 'omit', cache: 'no-store',
      });
      answer = await response.json();
    } catch (_) {
      if (response) throw failure('auth/internal-error', 'the server did not answer in JSON');
      throw failure('auth/network-request-failed', 'the server cannot be reached');
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return answer;
    const message = String(answer && answer.error && answer.error.message);
    if (/^(TOO_MANY_ATTEMPTS_TRY_LATER|QUOTA_EXCEEDED)\b/.test(message)) {
      throw failure('auth/too-many-requests', message);
    }
    throw failure(response.status < 500 ? 'auth/captcha-check-failed' : 'auth/internal-error', message);
  }
}
