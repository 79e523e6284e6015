// Notes: a single-page app. Firebase's JS SDK holds the user, <dialtone-sign-in> signs users in, and each API call
// sends the user's ID token. Texts from users are inserted as text, never as markup (no XSS).
import { apiKey, authServer, projectId, sdkFolder } from './config.js';

const $ = (id) => document.getElementById(id);

/** An error whose message is for the user. */
class Problem extends Error {}

function show(text) {
  $('state').textContent = text;
}

/** Shows why an action failed. An unknown error is a bug in the app: it is logged for the developer. */
function showProblem(error) {
  const code = String(error && error.code);
  if (error instanceof Problem) show(error.message);
  else if (code === 'auth/network-request-failed') show(`The sign-in server ${authServer} cannot be reached.`);
  else if (code === 'auth/user-token-expired') show('Your session has ended. Sign in again.');
  else if (code.startsWith('auth/')) show(`The sign-in server refused this (${code}).`);
  else {
    show('Something went wrong.');
    console.error(error);
  }
}

async function load(url) {
  try {
    return await import(url);
  } catch (_) {
    throw new Problem(`${url} cannot be loaded. Is its server running, and reachable from this browser?`);
  }
}

// --- The API

/**
 * Calls the API as the signed-in user. The SDK gets a new ID token before the old one expires. If the API rejects a
 * token, it is replaced once. If that fails because the session has ended, the SDK signs the user out.
 */
async function callAPI(method, body) {
  const user = auth.currentUser;
  const send = async (isForced) => {
    const headers = { Authorization: `Bearer ${await user.getIdToken(isForced)}` };
    if (body) headers['Content-Type'] = 'application/json';
    const options = { method, headers, body: body && JSON.stringify(body), credentials: 'omit', cache: 'no-store' };
    try {
      return await fetch('/api/notes', options);
    } catch (_) {
      throw new Problem('The API cannot be reached.');
    }
  };
  let response = await send(false);
  if (response.status === 401) response = await send(true);
  if (!response.ok) throw new Problem(`The API refused this (${response.status}).`);
  return response.json();
}

/** Runs an action for the user. A result that arrives after the user has left is not shown. */
async function run(action) {
  const user = auth.currentUser;
  try {
    const showResult = await action(user);
    if (showResult && user === auth.currentUser) showResult();
  } catch (error) {
    showProblem(error);
  }
}

/** Runs an action that the user requested. A second press while it runs is ignored. */
async function act(action) {
  if ($('signed-in').ariaBusy === 'true') return;
  $('signed-in').ariaBusy = 'true';
  show('');
  await run(action);
  $('signed-in').ariaBusy = 'false';
}

async function exchangeNotes(method, body) {
  const answer = await callAPI(method, body);
  return () => {
    $('api-user').textContent = answer.user;
    $('notes').replaceChildren(...answer.notes.map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }).reverse());
    if (method === 'POST') $('note').value = '';
  };
}

// --- The user

function showUser(user) {
  // Moves the keyboard focus to the part of the page that follows a sign-in or sign-out.
  const isStart = $('signed-in').hidden && $('signed-out').hidden;
  $('signed-out').hidden = Boolean(user);
  $('signed-in').hidden = !user;
  for (const id of ['who', 'api-user', 'notes', 'token-end']) $(id).replaceChildren();
  $('note').value = '';
  if (user) {
    show('');
    $('who').textContent = user.phoneNumber || user.email || user.uid;
    run(() => exchangeNotes('GET'));
  }
  if (!isStart) (user ? $('who') : document.querySelector('dialtone-sign-in')).focus();
}

async function showToken(user) {
  if (!user) return;
  const { expirationTime } = await user.getIdTokenResult();
  if (user === auth.currentUser) $('token-end').textContent = new Date(expirationTime).toLocaleTimeString();
}

/**
 * Ends the session on the server: otherwise its ID token would be valid for up to an hour, and its refresh token for
 * longer. The SDK's own `signOut` only removes the tokens from the browser.
 */
async function signOut(user) {
  let isEnded = false;
  try {
    const { token, claims } = await user.getIdTokenResult();
    const response = await fetch(`${authServer}/v2/accounts/sessions:end?key=${apiKey}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ idToken: token, sessionId: claims.firebase.session_id }),
    });
    isEnded = response.ok;
  } catch (_) { /* The user is signed out of this browser anyway. */ }
  await sdk.signOut(auth);
  show(isEnded ? 'You are signed out.'
    : 'You are signed out of this browser. The server did not confirm that the session has ended.');
}

// --- Start

let auth, sdk;

async function start() {
  const [app, authModule, dialtone, { DialtoneSignIn }] = await Promise.all([
    load(`${sdkFolder}/firebase-app.js`), load(`${sdkFolder}/firebase-auth.js`),
    load(`${authServer}/__/auth/dialtone.js`), load(`${authServer}/__/auth/sign-in.js`),
  ]);
  sdk = authModule;
  auth = sdk.initializeAuth(app.initializeApp({ apiKey, projectId }), {
    persistence: [sdk.indexedDBLocalPersistence, sdk.browserLocalPersistence],
  });
  // Before anything else, because the SDK requests the user of the last visit.
  const connected = dialtone.connectDialtone(auth);
  const element = new DialtoneSignIn();
  element.setAttribute('api-key', apiKey);
  Object.assign(element, { auth, sdk });
  $('inbox').href = authServer;
  $('signed-out').prepend(element);
  sdk.onAuthStateChanged(auth, showUser);
  sdk.onIdTokenChanged(auth, showToken);
  $('note-form').addEventListener('submit', (event) => {
    event.preventDefault();
    act(() => exchangeNotes('POST', { text: $('note').value }));
  });
  $('refresh').addEventListener('click', () => act(async (user) => {
    await user.getIdToken(true);
    return () => show('The token is new.');
  }));
  $('sign-out').addEventListener('click', () => act(signOut));
  show('');
  await connected;
}

start().catch(showProblem);
