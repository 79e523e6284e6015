'use strict';
// The page of an e-mail's link: shows what the link does, and does it when the user presses the button. Mail scanners
// also run this script, so until then it uses nothing up.
(() => {
  const FETCH_LIMIT_MS = 15000;
  const TYPES = {
    resetPassword: 'PASSWORD_RESET', verifyEmail: 'VERIFY_EMAIL', verifyAndChangeEmail: 'VERIFY_AND_CHANGE_EMAIL',
    recoverEmail: 'RECOVER_EMAIL', revertSecondFactorAddition: 'REVERT_SECOND_FACTOR_ADDITION',
  };
  const REASONS = {
    NETWORK: 'networkFailed', TOO_MANY_ATTEMPTS_TRY_LATER: 'tooManyRequests', QUOTA_EXCEEDED: 'tooManyRequests',
    WEAK_PASSWORD: 'weakPassword', EMAIL_EXISTS: 'emailTaken', USER_DISABLED: 'disabled',
    INVALID_OOB_CODE: 'linkExpired', EXPIRED_OOB_CODE: 'linkExpired', USER_NOT_FOUND: 'linkExpired',
    EMAIL_NOT_FOUND: 'linkExpired',
  };

  const $ = (id) => document.getElementById(id);
  const { mode, minimumLength, texts } = JSON.parse($('data').textContent);
  const query = new URLSearchParams(location.search), oobCode = query.get('oobCode');
  const password = $('password');
  let address = '', isBusy = false, last = {};

  function show(state) {
    $('page').dataset.state = state;
    for (const name of ['working', 'ask', 'done', 'failed']) $(name).hidden = name !== state;
    const focused = state === 'ask' && password || $(state).querySelector('h1[tabindex]');
    if (focused) focused.focus();
  }

  async function post(name, fields) {
    const body = JSON.stringify(fields);
    // If a response is lost, the next press repeats its request, and the server its response.
    if (last.body !== body) last = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), FETCH_LIMIT_MS);
    let response, answer;
    try {
      response = await fetch('/v1/accounts:' + name + '?key=' + encodeURIComponent(query.get('apiKey')), {
        method: 'POST', body, signal: abort.signal, credentials: 'omit', cache: 'no-store',
        headers: {
          'Content-Type': 'application/json', 'Idempotency-Key': last.key,
          'X-Firebase-Locale': document.documentElement.lang,
        },
      });
      answer = await response.json();
    } catch (_) {
      throw new Error(response ? 'SERVER' : 'NETWORK');
    } finally {
      clearTimeout(timer);
    }
    if (!response.ok) throw new Error(String(answer && answer.error && answer.error.message).split(' : ')[0]);
    return answer;
  }

  /** Runs one action at a time. A link that is no longer valid ends the page; after other errors, users try again. */
  async function run(action) {
    if (isBusy) return;
    isBusy = true;
    const error = document.querySelector('section:not([hidden]) .error');
    if (error) error.textContent = '';
    try {
      await action();
    } catch ({ message }) {
      const reason = REASONS[message] || 'serverFailed', isFinal = /^(linkExpired|disabled)$/.test(reason);
      const text = texts[reason].replace('{number}', minimumLength);
      if (password) password.setAttribute('aria-invalid', String(reason === 'weakPassword'));
      if (error && !isFinal) {
        error.textContent = text;
        if (password) password.focus();
      } else {
        $('reason').textContent = text;
        $('retry').hidden = isFinal;
        show('failed');
      }
    } finally {
      isBusy = false;
    }
  }

  function addressed(text) {
    const parts = text.split('{email}'), name = document.createElement('bdi');
    name.dir = 'ltr';
    name.textContent = address;
    return [parts[0], name, parts[1] || ''];
  }

  async function check() {
    show('working');
    const answer = await post('resetPassword', { oobCode });
    if (answer.requestType !== TYPES[mode]) throw new Error('INVALID_OOB_CODE');
    address = (mode === 'verifyAndChangeEmail' && answer.newEmail) || answer.email || '';
    $('address').replaceChildren(...addressed('{email}'));
    if (password) $('username').value = address;
    show('ask');
  }

  async function apply() {
    if (!password) {
      await post('update', { oobCode });
    } else {
      if ([...password.value].length < minimumLength) throw new Error('WEAK_PASSWORD');
      await post('resetPassword', { oobCode, newPassword: password.value });
      password.value = '';
    }
    $('reset').hidden = mode !== 'recoverEmail' || !address;
    show('done');
  }

  async function resetPassword() {
    await post('sendOobCode', { requestType: 'PASSWORD_RESET', email: address });
    $('result').replaceChildren(...addressed(texts.linkSent));
    $('reset').hidden = true;
    show('done');
  }

  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    run(apply);
  });
  $('retry').addEventListener('click', () => run(check));
  $('reset').addEventListener('click', () => run(resetPassword));
  if (password) {
    $('reveal').addEventListener('click', () => {
      const isShown = password.type === 'password';
      password.type = isShown ? 'text' : 'password';
      $('reveal').setAttribute('aria-pressed', String(isShown));
    });
  }
  run(check);
})();
