// The server's REST interface.

const BROWSERS = [['Edge', /Edg/], ['Opera', /OPR\//], ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/], ['Chrome', /Chrome|CriOS/], ['Safari', /Safari/]];
const SYSTEMS = [['Windows', /Windows/], ['Android', /Android/], ['iOS', /iP(hone|ad|od)/], ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/], ['Linux', /Linux/]];

/** Returns this browser's name in lists of sessions: `Chrome/Windows/Dialtone`. */
function clientVersion() {
  const named = (list) => (list.find(([, pattern]) => pattern.test(navigator.userAgent)) || ['Other'])[0];
  return named(BROWSERS) + '/' + named(SYSTEMS) + '/Dialtone';
}

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

  /**
   * Sends a request that uses something up, such as a code. If the answer is lost, sends the request again, now and at
   * the user's next attempt: under the same key, the server returns its answer again.
   */
  async complete(path, body) {
    const text = path + JSON.stringify(body);
    if (!this.incomplete || this.incomplete.text !== text) {
      this.incomplete = { text, key: Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-') };
    }
    const { key } = this.incomplete;
    const isLost = ({ code }) => code === 'NETWORK' || code === 'SERVER';
    const send = () => this.call(path, body, { key }).catch((refusal) => {
      if (!isLost(refusal)) this.incomplete = null;
      throw refusal;
    });
    const answer = await send().catch(async (refusal) => {
      if (!isLost(refusal)) throw refusal;
      await new Promise((resolve) => { setTimeout(resolve, 1000); });
      return send();
    });
    this.incomplete = null;
    return answer;
  }

  /** Sends one request. A form is sent as a form; any other body is sent as JSON. */
  async call(path, body, { signal, language, key, cache = 'no-store' } = {}) {
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
    if (key) headers['Idempotency-Key'] = key;
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
