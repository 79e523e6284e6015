'use strict';
// A small phone sign-in app that uses the wire protocol itself, without an SDK, so that each request can be seen.
// Text from the server or a message is inserted as text nodes only, never as markup (no XSS).

const API_KEY = 'try-it';
const CODE_LENGTH = 6;
const POLL_INTERVAL_MS = 1000;
const REQUEST_TIMEOUT_MS = 10_000;
const ARRIVAL_GRACE_MS = 2500;
const WIRE_ROWS_KEPT = 40;

const $ = (id) => document.getElementById(id);
const timeOf = (ms) => new Date(ms).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
const exactTimeOf = (ms) => new Date(ms).toLocaleTimeString();

/** Creates an element; children are elements or strings, and strings become text nodes. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function announce(text) {
  $('announcer').textContent = text;
}

/** Returns a North American number with its usual spacing; other numbers unchanged. */
function readable(phone) {
  return phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1-$2-$3');
}

// --- human-readable JSON

const SECONDS_CLAIMS = new Set(['iat', 'exp', 'auth_time']);
const MILLISECONDS_FIELDS = new Set(['createdAt', 'lastLoginAt']);
const JSON_LINE = /^(\s*)(?:("(?:[^"\\]|\\.)*")(: ))?(.*?)(,?)$/;

/** Returns pretty-printed JSON as colored text nodes; timestamps are followed by the time of day. */
function colored(value) {
  const fragment = document.createDocumentFragment();
  for (const line of JSON.stringify(value, null, 2).split('\n')) {
    const [, indent, key, colon, rest, comma] = JSON_LINE.exec(line);
    fragment.append(indent);
    if (key) fragment.append(make('span', 'key', key), colon);
    const kind = rest.startsWith('"') ? 'string' : /^[-\dtfn]/.test(rest) ? 'literal' : '';
    fragment.append(kind ? make('span', kind, rest) : rest, comma);
    const name = key?.slice(1, -1);
    const unit = SECONDS_CLAIMS.has(name) ? 1000 : MILLISECONDS_FIELDS.has(name) ? 1 : 0;
    const instant = Number(rest.replaceAll('"', '')) * unit;
    if (instant) fragment.append(make('span', 'note', `  ${exactTimeOf(instant)}`));
    fragment.append('\n');
  }
  fragment.lastChild.remove();
  return fragment;
}

function withShortStrings(value) {
  const shorten = (_, item) =>
    typeof item === 'string' && item.length > 72 ? `${item.slice(0, 40)}… (${item.length} characters)` : item;
  return JSON.parse(JSON.stringify(value, shorten));
}

// --- the wire

/** An error response. `wire` is the server's own message, empty if there was no response. */
class WireError extends Error {
  constructor(wire, httpStatus) {
    super(wire);
    this.wire = wire;
    this.code = wire.split(' : ')[0];
    this.httpStatus = httpStatus;
  }
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return text; /* an error page of the proxy, shown unchanged */ }
}

const send = window.fetch.bind(window);

/** Shows the component's requests, except those that it aborts because it no longer needs the answer. */
window.fetch = async (url, options = {}) => {
  const started = performance.now();
  const { method = 'GET', body } = options;
  const { pathname, search } = new URL(url, location.href);
  const report = (status, answer) => showExchange({
    method, path: pathname + search, body: typeof body === 'string' ? parsed(body) : body, status, answer,
    ms: performance.now() - started,
  });
  let response;
  try {
    response = await send(url, options);
  } catch (error) {
    if (error.name !== 'AbortError') report(0, 'no answer');
    throw error;
  }
  response.clone().text().then((text) => report(response.status, parsed(text)), () => {});
  return response;
};

/** Sends one request and returns the parsed response; calls `report` with the exchange. */
async function request(method, path, body, report) {
  const started = performance.now();
  const finish = (status, answer) => report({ method, path, body, status, answer, ms: performance.now() - started });
  const options = { method, cache: 'no-store', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
  if (body instanceof URLSearchParams) {
    options.body = body;
  } else if (body) {
    options.body = JSON.stringify(body);
    options.headers = { 'Content-Type': 'application/json' };
  }
  let response, text;
  try {
    response = await send(path, options);
    text = await response.text();
  } catch {
    finish(0, 'no answer');
    throw new WireError('', 0);
  }
  const answer = parsed(text);
  finish(response.status, answer);
  if (response.ok && answer instanceof Object) return answer;
  throw new WireError(String(answer?.error?.message ?? `HTTP ${response.status}`), response.status);
}

const call = (method, path, body) => request(method, `${path}?key=${API_KEY}`, body, showExchange);

function statusBadge(status) {
  const kind = status >= 200 && status < 300 ? 'good' : 'bad';
  return make('span', `status ${kind}`, status ? String(status) : 'failed');
}

function exchangeSummary({ method, path, status, ms }, note = '') {
  const [route, query] = path.split('?');
  const breakable = route.split(/(?<=:)/).flatMap((part) => [part, make('wbr')]);
  const shown = make('span', 'path', ...breakable, make('i', '', query ? `?${query}` : note));
  return [make('b', '', method), shown, statusBadge(status), make('span', 'ms', `${Math.round(ms)} ms`)];
}

function bodyBlock(title, body) {
  const block = make('pre', '', make('span', 'title', `${title}\n`));
  const value = body instanceof URLSearchParams ? Object.fromEntries(body) : body;
  block.append(typeof value === 'object' ? colored(withShortStrings(value)) : String(value).slice(0, 2000));
  return block;
}

/**
 * Adds one request to the list, newest on top. Its bodies expand on demand. While a number is typed, only the last
 * request to parse it is shown.
 */
function showExchange(exchange) {
  const row = make('details', '', make('summary', '', ...exchangeSummary(exchange)));
  if (exchange.body) row.append(bodyBlock('request', exchange.body));
  row.append(bodyBlock('answer', exchange.answer));
  const item = make('li', '', row);
  item.dataset.path = exchange.path;
  const last = $('wire-rows').firstElementChild;
  if (last?.dataset.path === exchange.path && exchange.path.includes('parsePhoneNumber')) last.replaceWith(item);
  else $('wire-rows').prepend(item);
  const own = $('wire-rows').querySelectorAll('li:not(.poll)');
  own[WIRE_ROWS_KEPT]?.remove();
  const name = exchange.path.split('?')[0].split('/').at(-1);
  $('wire-last').replaceChildren(name, ' ', statusBadge(exchange.status));
}

let polls = 0;
/** Shows all polls in one row at the end, so that they do not bury the reader's own requests. */
function showPoll(exchange) {
  let row = $('wire-rows').querySelector('.poll');
  if (!row) $('wire-rows').append(row = make('li', 'poll'));
  row.replaceChildren(...exchangeSummary(exchange, `  ×${++polls}`));
}

// --- errors in plain language

const ERROR_WORDS = {
  INVALID_PHONE_NUMBER: ['That is not a phone number.', 'Write it with its country code, such as +1 650-555-0101.'],
  INVALID_CODE: ['That code is incorrect.', 'Look at the newest message for this number.'],
  MISSING_CODE: ['The code is missing.', 'Type the six digits from the message.'],
  SESSION_EXPIRED: ['This code has expired or was used already.', 'Send a new one.'],
  INVALID_SESSION_INFO: ['The server does not know this sign-in.', 'Send a new code.'],
  TOO_MANY_ATTEMPTS_TRY_LATER: ['Too many attempts.', 'Wait a little, or try another number.'],
  QUOTA_EXCEEDED: ['The project has reached its message limit.', 'Wait, or raise the limit.'],
  OPERATION_NOT_ALLOWED: ['The server’s settings do not allow this.', ''],
  MISSING_APP_CREDENTIAL: ['The server requires proof of the app.', 'This page has none.'],
  CAPTCHA_CHECK_FAILED: ['The server requires proof of the app.', 'This page has none.'],
  USER_DISABLED: ['This account is disabled.', ''],
  USER_NOT_FOUND: ['This account no longer exists.', 'Sign in again to create a new one.'],
  TOKEN_EXPIRED: ['This session has ended or was revoked.', 'Sign in again.'],
  INVALID_ID_TOKEN: ['The server no longer accepts this ID token.', 'Refresh it, or sign in again.'],
  INVALID_REFRESH_TOKEN: ['This is not a refresh token.', 'Sign in again.'],
};

function errorWords(error) {
  if (error.httpStatus === 0) return ['The server does not respond.', 'Is it still running?'];
  if (error.httpStatus >= 500) return ['The server failed.', 'Its log says why.'];
  return ERROR_WORDS[error.code] ?? ['The server refused this.', ''];
}

function showError(words, hint, wire) {
  const box = $('error');
  box.replaceChildren(make('strong', '', words), ' ', hint);
  if (wire) box.append(' ', make('code', '', wire));
  box.classList.add('shown');
}

function clearError() {
  $('error').replaceChildren();
  $('error').classList.remove('shown');
}

/** Runs one user action at a time: a second press while a request is pending is ignored. */
async function act(button, action) {
  if (document.querySelector('[aria-busy=true]')) return;
  button.setAttribute('aria-busy', 'true');
  clearError();
  try {
    await action();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const [words, hint] = errorWords(error);
    showError(words, error.hint ?? hint, error.wire);
  } finally {
    button.removeAttribute('aria-busy');
  }
}

// --- the sign-in app

const session = { phone: '', info: '', sentAt: 0, seen: new Set(), wrongCodes: 0, idToken: '', refreshToken: '' };
const usedMessages = new Set();   // ids of messages whose code was used: never suggested again
let step = 'phone';

function goTo(next, focus) {
  step = next;
  const names = ['phone', 'code', 'done'];
  names.forEach((name, index) => {
    $(`step-${name}`).hidden = name !== next;
    const mark = $('steps').children[index];
    mark.classList.toggle('past', index < names.indexOf(next));
    if (name === next) mark.setAttribute('aria-current', 'step'); else mark.removeAttribute('aria-current');
  });
  clearError();
  focus.focus();
}

/** Requests a code; returns true if the server returned the session that was already open and sent no message. */
async function sendCode() {
  const seen = new Set(rows.keys());
  const answer = await call('POST', '/v1/accounts:sendVerificationCode', { phoneNumber: session.phone });
  const same = answer.sessionInfo === session.info;
  if (!same) Object.assign(session, { info: answer.sessionInfo, sentAt: Date.now(), seen, wrongCodes: 0 });
  return same;
}

$('step-phone').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = $('phone').value.replace(/[\s().-]/g, '');
  if (!typed) {
    showError('Type a phone number first.', 'One of the fictional ones will do.');
    $('phone').focus();
    return;
  }
  act($('send'), async () => {
    session.phone = typed;
    try { await sendCode(); } catch (error) { $('phone').focus(); throw error; }
    $('code-phone').textContent = readable(typed);
    setCode('');
    $('code-wait').textContent = 'Waiting for the message…';
    goTo('code', $('code'));
    suggestCode();
  });
});

for (const chip of document.querySelectorAll('[data-phone]')) {
  chip.addEventListener('click', () => {
    $('phone').value = chip.dataset.phone;
    clearError();
    $('phone').focus();
  });
}

$('resend').addEventListener('click', () => act($('resend'), async () => {
  const same = await sendCode();
  setCode('');
  $('code-wait').textContent = same
    ? 'The same code is still good: the server sent no second message.'
    : 'A new code is on its way.';
  suggestCode();
  announce($('code-wait').textContent);
  $('code').focus();
}));

$('other-number').addEventListener('click', () => goTo('phone', $('phone')));

$('step-code').addEventListener('submit', (event) => {
  event.preventDefault();
  const code = $('code').value;
  if (code.length < CODE_LENGTH) {
    showError(`The code has ${CODE_LENGTH} digits.`, code ? `You typed ${code.length}.` : 'Take it from the inbox.');
    $('code').focus();
    return;
  }
  act($('verify'), async () => {
    const body = { sessionInfo: session.info, code };
    let answer;
    try {
      answer = await call('POST', '/v1/accounts:signInWithPhoneNumber', body);
    } catch (error) {
      if (error.code === 'INVALID_CODE') {
        session.wrongCodes += 1;
        error.hint = `Attempt ${session.wrongCodes}: the usual limit is five.`;
      } else if (error.code === 'TOO_MANY_ATTEMPTS_TRY_LATER') {
        error.hint = 'This code no longer works. Send a new one.';
      }
      $('code-boxes').classList.add('wrong');
      $('code').focus();
      $('code').select();
      throw error;
    }
    for (const message of inbox) if (message.code === code) usedMessages.add(message.id);
    session.info = '';
    $('done-phone').textContent = readable(answer.phoneNumber ?? session.phone);
    $('done-badge').textContent = answer.isNewUser ? 'new account' : 'welcome back';
    $('done-badge').classList.toggle('new', Boolean(answer.isNewUser));
    $('done-uid').textContent = answer.localId;
    $('account').hidden = true;
    showTokens(answer.idToken, answer.refreshToken);
    goTo('done', $('done-title'));
  });
});

$('refresh').addEventListener('click', () => act($('refresh'), async () => {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: session.refreshToken });
  const answer = await call('POST', '/v1/token', body);
  showTokens(answer.id_token, answer.refresh_token);
  say($('refresh'), 'Refreshed', `Token refreshed, ${$('expiry').textContent}.`);
}));

$('lookup').addEventListener('click', () => act($('lookup'), async () => {
  const answer = await call('POST', '/v1/accounts:lookup', { idToken: session.idToken });
  $('account-json').replaceChildren(colored(answer.users?.[0] ?? answer));
  $('account').hidden = false;
  say($('lookup'), 'Looked up', 'Account looked up.');
}));

$('sign-out').addEventListener('click', () => {
  Object.assign(session, { info: '', idToken: '', refreshToken: '' });
  goTo('phone', $('phone'));
  $('phone').select();
  announce('Signed out.');
});

// --- tokens

let expiresAtMs = 0;

function decodedPart(base64URL) {
  const binary = atob(base64URL.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
}

function showTokens(idToken, refreshToken) {
  Object.assign(session, { idToken, refreshToken });
  const [header, payload, signature = ''] = idToken.split('.');
  try {
    const [head, claims] = [decodedPart(header), decodedPart(payload)];
    expiresAtMs = claims.exp * 1000;
    $('token-header').replaceChildren(colored(head));
    $('token-payload').replaceChildren(colored(claims));
    $('token-signature').replaceChildren(
      `${signature.slice(0, 16)}…${signature.slice(-8)}`,
      make('span', 'note', `  ${head.alg}, ${signature.length} characters`));
  } catch {
    expiresAtMs = 0;
    $('token-header').textContent = idToken;
    $('token-payload').textContent = $('token-signature').textContent = 'not a JSON web token';
  }
  showExpiry();
}

function showExpiry() {
  const seconds = Math.round((expiresAtMs - Date.now()) / 1000);
  const inMinutes = Math.abs(seconds) >= 90;
  const words = new Intl.RelativeTimeFormat('en').format(
    inMinutes ? Math.round(seconds / 60) : seconds, inMinutes ? 'minute' : 'second');
  const text = !expiresAtMs ? '' : `${seconds > 0 ? 'expires' : 'expired'} ${words}`;
  if ($('expiry').textContent !== text) $('expiry').textContent = text;
  $('expiry').classList.toggle('past', seconds <= 0);
}

// --- the code boxes

// One real, invisible input covers six boxes, so that paste, autofill, selection and screen readers work as in any
// text field. The boxes only mirror its value and its selection.

function setCode(digits) {
  $('code-boxes').classList.remove('wrong');
  $('code').value = digits.replace(/\D/g, '').slice(0, CODE_LENGTH);
  drawCode();
}

function drawCode() {
  const { value, selectionStart: start, selectionEnd: end } = $('code');
  const focused = document.activeElement === $('code');
  $('code-boxes').querySelectorAll('span').forEach((box, index) => {
    const current = start === end ? index === Math.min(start, CODE_LENGTH - 1) : index >= start && index < end;
    box.textContent = value[index] ?? '';
    box.classList.toggle('current', focused && current);
  });
}

$('code').addEventListener('beforeinput', (event) => {
  // In the middle, a digit replaces the digit at the caret instead of shifting the rest.
  const { selectionStart: at, selectionEnd: end, value } = event.target;
  if (event.inputType !== 'insertText' || !/^\d$/.test(event.data) || at !== end || at >= value.length) return;
  event.preventDefault();
  event.target.setRangeText(event.data, at, at + 1, 'end');
  drawCode();
});
$('code').addEventListener('input', ({ target }) => {
  const at = target.selectionStart;
  const kept = target.value.slice(0, at).replace(/\D/g, '').length;
  setCode(target.value);
  target.setSelectionRange(kept, kept);
  drawCode();
});
$('code').addEventListener('paste', (event) => {
  // If a whole message is pasted, its first six consecutive digits are the code.
  const text = event.clipboardData.getData('text');
  event.preventDefault();
  setCode(text.match(/\d{6}/)?.[0] ?? text);
});
$('code').addEventListener('click', (event) => {
  const { left, width } = event.target.getBoundingClientRect();
  const box = Math.min(Math.floor((event.clientX - left) / width * CODE_LENGTH), event.target.value.length);
  if (event.detail === 1) event.target.setSelectionRange(box, box);
});
for (const type of ['focus', 'blur', 'select']) $('code').addEventListener(type, drawCode);
document.addEventListener('selectionchange', drawCode);

function fillCode(code) {
  setCode(code);
  clearError();
  announce('Code filled in.');
  $('verify').focus();
}

// --- the tabs

const tabs = [$('tab-component'), $('tab-wire')];

function selectTab(tab) {
  for (const each of tabs) {
    each.setAttribute('aria-selected', String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    $(each.getAttribute('aria-controls')).hidden = each !== tab;
  }
  tab.focus();
}

for (const tab of tabs) {
  tab.addEventListener('click', () => selectTab(tab));
  tab.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft' || key === 'ArrowRight') selectTab(tabs.find((each) => each !== tab));
  });
}

/** Fills a code into the component, as autofill does; returns false if the component is not waiting for a code. */
function fillComponent(code) {
  const input = $('panel-component').hidden ? null : $('component').shadowRoot?.querySelector('#code');
  if (!input) return false;
  input.value = code;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return true;
}

// --- the inbox

let project = '';             // the project's number
let inbox = [];               // oldest first, as the server lists it
let inboxSeen = false;        // messages in the first response are older than the page, so they are not animated
let pollTimer;
const rows = new Map();       // message id -> its row

const MAIL_SUBJECTS = {
  PASSWORD_RESET: 'Reset your password',
  VERIFY_EMAIL: 'Verify your e-mail address',
  EMAIL_SIGNIN: 'Your sign-in link',
  VERIFY_AND_CHANGE_EMAIL: 'Confirm your new e-mail address',
  RECOVER_EMAIL: 'Your e-mail address was changed',
};

/** Returns a mail as an item of the inbox. The server lists mails without the time. */
function mailOf({ oobCode, email, newEmail, requestType, oobLink }) {
  const known = inbox.find(({ id }) => id === oobCode);
  return {
    id: oobCode, phoneNumber: requestType === 'VERIFY_AND_CHANGE_EMAIL' ? newEmail : email, link: oobLink,
    text: MAIL_SUBJECTS[requestType] ?? requestType, sentAt: known?.sentAt ?? Date.now(),
  };
}

function mailLink({ link, text }) {
  const anchor = make('a', '', text);
  anchor.href = link;
  return anchor;
}

function messageRow(message) {
  const { code, text, phoneNumber: phone } = message;
  const button = make('button', 'fill', code);
  button.type = 'button';
  button.setAttribute('aria-label', `Use code ${code}`);
  button.addEventListener('click', () => {
    if (fillComponent(code)) announce('Code filled in.');
    else if (step === 'code') fillCode(code);
    else copy(code, button);
  });
  const at = code ? text.indexOf(code) : -1;
  const words = message.link ? [mailLink(message)]
    : at < 0 ? [text] : [text.slice(0, at), button, text.slice(at + code.length)];
  if (code && at < 0) words.push(' ', button);
  const time = make('time', '', timeOf(message.sentAt));
  time.dateTime = new Date(message.sentAt).toISOString();
  time.title = exactTimeOf(message.sentAt);
  const face = make('span', `face tint${Number(phone.slice(-1)) % 5 || 0}`, phone.slice(-2));
  face.setAttribute('aria-hidden', 'true');
  return make('li', inboxSeen ? 'arriving' : '',
    make('div', '', face, make('bdi', 'from', readable(phone)), time, make('p', '', ...words)));
}

function showInbox(messages) {
  inbox = messages.slice(-50).map(({ id, phoneNumber, text, code, sentAt, link }) => ({
    id: String(id), phoneNumber: String(phoneNumber ?? ''), text: String(text ?? ''), code: String(code ?? ''),
    sentAt: Number(sentAt) || 0, link: /^https?:/.test(link ?? '') ? link : '',
  }));
  const ids = new Set(inbox.map(({ id }) => id));
  for (const [id, row] of rows) {
    if (!ids.has(id)) { row.remove(); rows.delete(id); }
  }
  for (const message of inbox) {
    if (rows.has(message.id)) continue;
    const row = messageRow(message);
    rows.set(message.id, row);
    $('messages').prepend(row);
    if (inboxSeen) announce(`Message for ${readable(message.phoneNumber)}: ${message.text}`);
  }
  inboxSeen = true;
  $('inbox-empty').hidden = inbox.length > 0;
  suggestCode();
}

/**
 * Suggests the newest unused code for the number that is signing in, as a phone's keyboard does (autofill).
 * A message that is older than the request counts only if no other arrives: its session may still be open.
 */
function suggestCode() {
  const waited = Date.now() - session.sentAt > ARRIVAL_GRACE_MS;
  const message = inbox.findLast(({ id, code, phoneNumber }) =>
    code && phoneNumber === session.phone && !usedMessages.has(id) && (waited || !session.seen.has(id)));
  const button = $('code-suggestion');
  button.hidden = !message;
  if (!message) return;
  if (button.textContent !== `From Messages: ${message.code}`) button.textContent = `From Messages: ${message.code}`;
  if ($('code-wait').textContent.startsWith('Waiting')) $('code-wait').textContent = '';
}
$('code-suggestion').addEventListener('click', ({ target }) => fillCode(target.textContent.slice(-CODE_LENGTH)));

async function poll() {
  clearTimeout(pollTimer);
  if (document.hidden) return;
  try {
    if (!project) {
      project = (await request('GET', `/v1/projects?key=${API_KEY}`, null, polls ? showPoll : showExchange)).projectId;
    }
    const path = `/dialtone/v1/projects/${encodeURIComponent(project)}/inbox`;
    const { messages, projectId } = await request('GET', path, null, showPoll);
    const mails = await request('GET', `/emulator/v1/projects/${encodeURIComponent(project)}/oobCodes`, null, () => {});
    showInbox([...messages ?? [], ...(mails.oobCodes ?? []).map(mailOf)]);
    showServer(projectId);
  } catch (error) {
    showServer('');
    if (!(error instanceof WireError)) console.error(error);
  }
  showClock();
  if (step === 'done') showExpiry();
  clearTimeout(pollTimer);
  pollTimer = setTimeout(poll, POLL_INTERVAL_MS);
}

function showClock() {
  $('clock').textContent = new Date().toTimeString().slice(0, 5);
}

/** Shows the project's id; without an id, shows that the server does not respond. */
function showServer(id) {
  $('server').classList.toggle('down', !id);
  $('server').classList.toggle('up', Boolean(id));
  $('project').textContent = id ? `${id} at` : 'no answer from';
}

document.addEventListener('visibilitychange', poll);   // a hidden tab does not poll

// --- snippets and copying

/** Briefly shows on a button what it did. */
function say(button, word, announcement = word) {
  button.dataset.label ??= button.textContent;   // it may still show an earlier text
  button.textContent = word;
  announce(announcement);
  setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
}

async function copy(text, button, source) {
  try {
    await navigator.clipboard.writeText(text);
    say(button, 'Copied');
  } catch {
    // Browsers deny clipboard access to pages on plain http other than localhost, so the reader must copy.
    if (source) getSelection().selectAllChildren(source);
    say(button, source ? 'Selected' : 'Not allowed');
  }
}

$('host').textContent = location.host;
const port = location.port || (location.protocol === 'https:' ? '443' : '80');
$('snippet-js').textContent = `connectAuthEmulator(auth, "${location.origin}")`;
const isLoopback = /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(location.hostname);
$('snippet-swift').textContent = `Auth.auth().useEmulator(withHost: "${location.hostname}", port: ${port})`;
// By this address, Android's emulator reaches its own machine.
const androidHost = isLoopback ? '10.0.2.2' : location.hostname;
$('snippet-android').textContent = `Firebase.auth.useEmulator("${androidHost}", ${port})`;
$('snippet-curl').textContent =
  `curl --json '{"phoneNumber":"+16505550101"}' '${location.origin}/v1/accounts:sendVerificationCode?key=any'`;
for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', () => copy($(button.dataset.copy).textContent, button, $(button.dataset.copy)));
}
/** Draws a QR code with the border of four modules that readers need. */
function qrDrawing(text) {
  const modules = qrCode(text), size = modules.length + 8;
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')));
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('viewBox', `0 0 ${size} ${size}`);
  drawing.setAttribute('class', 'qr');
  drawing.setAttribute('role', 'img');
  drawing.setAttribute('aria-label', `QR code of ${text}`);
  const dark = drawing.appendChild(document.createElementNS(drawing.namespaceURI, 'path'));
  dark.setAttribute('d', path.join(''));
  return drawing;
}

$('on-phone').append(...(isLoopback
  ? ['Phones and other machines reach a server that was started with ', make('code', '', 'dialtone dev --listen'),
    ' and this machine’s address in your network. Then open this page under that address.']
  : [qrDrawing(location.origin), 'A phone in your network opens this page with this code.']));

$('copy-token').addEventListener('click', () => copy(session.idToken, $('copy-token')));

showClock();
poll();
