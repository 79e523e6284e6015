// The page's frame: the token, the tasks, and the switch that allows changes.
import { announce, byID, make } from './dom.js';
import { Refusal, select, signIn, signOut } from './server.js';
import { why } from './why.js';
import { users } from './users.js';
import { outbox } from './outbox.js';
import { spend } from './spend.js';
import { limits } from './limits.js';
import { audit } from './audit.js';

const tasks = { why, users, outbox, spend, limits, audit };
let granted;
/** What a task shows first, such as a number. It never stands in a URL. */
let asked;

/** Opens a task about something. */
function open(name, about) {
  asked = about;
  if (location.hash === `#${name}`) show();
  else location.hash = name;
}

/** Asks before a change. Returns whether changes are allowed and the operator confirmed this one. */
function confirmed(question, action) {
  if (!byID('changes').checked) return Promise.resolve(false);
  const dialog = byID('confirm');
  byID('confirm-text').textContent = question;
  byID('confirm-yes').textContent = action;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

function show() {
  if (!granted) return;
  const hash = location.hash.slice(1);
  const name = Object.hasOwn(tasks, hash) ? hash : 'why';
  const task = tasks[name];
  for (const anchor of byID('pages').children) {
    if (anchor.hash === `#${name}`) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
  }
  document.title = `Dialtone: ${task.label}`;
  const title = make('h1', { id: 'page-title', tabindex: -1 }, task.title);
  const place = make('div');
  byID('task').replaceChildren(title, make('p', { class: 'intro' }, task.intro), place);
  const about = asked;
  asked = undefined;
  task.show(place, { about, open, confirmed, auditKinds: granted.auditKinds });
  // A form has the focus, so that a number can be typed at once.
  (place.querySelector('input') ?? title).focus();
}

function choose(id) {
  const { access } = granted.projects.find((project) => project.id === id);
  select(id);
  byID('changes').checked = false;
  allowChanges();
  byID('changes-label').hidden = access !== 'write';
  byID('read-only').hidden = access === 'write';
  show();
}

function allowChanges() {
  document.body.classList.toggle('changes', byID('changes').checked);
}

function close(message = '') {
  signOut();
  granted = undefined;
  for (const id of ['session', 'pages', 'task', 'skip']) byID(id).hidden = true;
  byID('task').replaceChildren();
  document.body.classList.remove('changes');
  byID('door').hidden = false;
  byID('door-error').textContent = message;
  byID('token').value = '';
  byID('token').focus();
}

byID('pages').append(...Object.entries(tasks).map(([name, { label }]) =>
  make('a', { href: `#${name}`, click: () => location.hash === `#${name}` && show() }, label)));
byID('changes').addEventListener('change', allowChanges);
byID('sign-out').addEventListener('click', () => close());
byID('project').addEventListener('change', ({ target }) => choose(target.value));
byID('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byID('page-title')?.focus();
});
addEventListener('hashchange', show);
byID('token-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  byID('door-error').textContent = '';
  try {
    const answer = await signIn(byID('token').value.trim(), close);
    if (!answer.projects.length) throw new Refusal('The token is not for a project of this server.');
    granted = answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    byID('door-error').textContent = error.message;
    return;
  }
  byID('token').value = '';
  byID('door').hidden = true;
  byID('project').replaceChildren(...granted.projects.map(({ id }) => make('option', { value: id }, id)));
  for (const id of ['session', 'pages', 'task', 'skip']) byID(id).hidden = false;
  announce('Signed in.');
  choose(granted.projects[0].id);
});
byID('token').focus();
