// The challenge page: solves the challenge, posts the solution, and opens the deep link in the response. The server
// creates every link on the page.
(() => {
  const FETCH_LIMIT_MS = 15000;
  const WIDGET_LIMIT_MS = 20000;
  const KEYS = 10;

  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const texts = data.texts;
  const nonce = document.currentScript.nonce;
  let attempt = 0;        // results of abandoned attempts are ignored
  let stopWork = () => {};

  function announce(text) {
    $('announcer').textContent = text;
  }

  function show(state) {
    $('page').dataset.state = state;
    for (const name of ['working', 'done', 'failed', 'cancelled']) $(name).hidden = name !== state;
    $('cancel').hidden = state !== 'working';
    if (state === 'working') return;
    const heading = $(state).querySelector('h1');
    announce(heading.textContent);
    heading.focus();
  }

  let announced;
  function showProgress(share) {
    const percent = Math.floor(share * 100);
    $('progress').setAttribute('aria-valuenow', percent);
    $('progress').firstChild.style.width = percent + '%';
    document.querySelectorAll('.keys circle')
      .forEach((key, index) => key.classList.toggle('lit', index < share * KEYS));
    if (Date.now() - announced < 3000) return;
    announced = Date.now();
    announce(new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' }).format(percent / 100));
  }

  class Failure extends Error {
    constructor(reason) {
      super(reason);
      this.reason = reason;
    }
  }

  function fail(reason) {
    stopWork();
    attempt++;
    const known = reason in data.links ? reason : 'internalError';
    $('reason').textContent = texts[known];
    $('back').href = data.links[known];
    show('failed');
  }

  /** Posts to the server with the page's own query, which identifies the app and the event. */
  async function post(path, body) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), FETCH_LIMIT_MS);
    let response, text;
    try {
      response = await fetch(path + location.search, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
        signal: abort.signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store',
      });
      text = await response.text();
    } catch (_) {
      throw new Failure('networkRequestFailed');
    } finally {
      clearTimeout(timer);
    }
    let answer;
    try { answer = JSON.parse(text); } catch (_) { throw new Failure('internalError'); }
    if (response.ok) return answer;
    const message = String(answer && answer.error && answer.error.message);
    if (/^(TOO_MANY_ATTEMPTS_TRY_LATER|QUOTA_EXCEEDED)\b/.test(message)) throw new Failure('tooManyRequests');
    throw new Failure(response.status < 500 ? 'checkFailed' : 'internalError');
  }

  async function solved() {
    const challenge = data.challenge || await post('/__/auth/challenge', {});
    data.challenge = null;      // single use
    const work = solveInBackground(challenge, (number) => showProgress(number / challenge.maxnumber));
    stopWork = work.stop;
    const number = await work.number;
    if (number < 0) throw new Failure('internalError');
    showProgress(1);
    return { solution: solutionOf(challenge, number) };
  }

  // --- A provider's widget; all of them implement reCAPTCHA's interface

  let widget;
  function loadWidget() {
    if (window[data.provider.name]) return Promise.resolve(window[data.provider.name]);
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      const lost = () => { script.remove(); reject(new Failure('networkRequestFailed')); };
      const timer = setTimeout(lost, WIDGET_LIMIT_MS);
      window.widgetLoaded = () => { clearTimeout(timer); resolve(window[data.provider.name]); };
      script.nonce = nonce;
      script.src = data.provider.script;
      script.onerror = lost;
      document.head.append(script);
    });
  }

  async function confirmed() {
    $('progress').hidden = true;
    $('widget').hidden = false;
    if (!data.provider.isInvisible) $('detail').textContent = texts.confirm;
    const api = await loadWidget();
    document.querySelectorAll('.keys circle').forEach((key) => key.classList.add('lit'));
    const response = await new Promise((resolve, reject) => {
      const place = document.createElement('div');
      $('widget').replaceChildren(place);
      widget = api.render(place, {
        sitekey: data.provider.siteKey,
        size: data.provider.isInvisible ? 'invisible'
          : document.documentElement.clientWidth < 360 ? 'compact' : 'normal',
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: resolve,
        'error-callback': () => reject(new Failure('networkRequestFailed')),
        'expired-callback': () => api.reset(widget),
      });
      if (data.provider.isInvisible) api.execute(widget);
    });
    return { response };
  }

  // --- Attempts, one at a time

  async function run() {
    const own = ++attempt;
    show('working');
    announced = Date.now();     // short work is not announced
    showProgress(0);
    try {
      const body = await (data.provider ? confirmed() : solved());
      if (own !== attempt) return;
      const { location: link } = await post('/__/auth/verify', body);
      if (own !== attempt) return;
      if (typeof link !== 'string' || !link.startsWith(data.prefix)) throw new Failure('internalError');
      attempt++;
      $('return').href = link;
      show('done');
      location.replace(link);
    } catch (error) {
      if (own === attempt) fail(error.reason);
    }
  }

  for (const button of document.querySelectorAll('.retry')) button.addEventListener('click', run);
  $('cancel').addEventListener('click', () => {
    attempt++;
    stopWork();
    show('cancelled');
  });
  run();
})();
