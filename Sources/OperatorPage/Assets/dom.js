// Elements of the page. Text from the server is inserted as text nodes only, never as markup (no XSS).
import { now } from './server.js';

/** Creates an element. An attribute that is a function is a listener; one that is true is empty; false is left out. */
export function make(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function draw(tag, attributes, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== false && child !== ''));
  return element;
}

export const byID = (id) => document.getElementById(id);

export function announce(text) {
  byID('announcer').textContent = text;
}

/** A time in UTC, as commands print it. */
export function time(milliseconds) {
  if (milliseconds === undefined) return '';
  const iso = new Date(milliseconds).toISOString();
  return make('time', { datetime: iso, title: age(milliseconds) }, `${iso.slice(0, 19).replace('T', ' ')}Z`);
}

export function age(milliseconds) {
  const seconds = Math.max(0, Math.round((now() - milliseconds) / 1000));
  const [count, unit] = seconds < 120 ? [seconds, 's'] : seconds < 7200 ? [Math.floor(seconds / 60), 'min']
    : seconds < 172_800 ? [Math.floor(seconds / 3600), 'h'] : [Math.floor(seconds / 86_400), 'days'];
  return `${count} ${unit} ago`;
}

/** A number with separators of thousands. */
export function count(number, digits = 0) {
  return Number(number).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const badge = (text, kind = '') => make('span', { class: `badge ${kind}` }, text);

/** A button that leads to another task. */
export const link = (text, click) => make('button', { type: 'button', class: 'link', click }, text);

/** A list of names and values. Values that are absent are left out. */
export function facts(values, kind = 'facts') {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== false && value !== '');
  return make('dl', { class: kind }, known.map(([name, value]) =>
    make('div', {}, make('dt', {}, name), make('dd', {}, value))));
}

/** A table. A column whose name begins with # has numbers. The roles remain when a phone shows each row as a block. */
export function table(caption, columns, rows) {
  const names = columns.map((name) => name.replace('#', ''));
  const kind = (index) => (columns[index].startsWith('#') ? 'number' : undefined);
  const isBlank = (cell) => cell === undefined || cell === '';
  return make('table', { role: 'table' },
    make('caption', { class: 'unseen' }, caption),
    make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, names.map((name, index) =>
      make('th', { role: 'columnheader', scope: 'col', class: kind(index) },
        name || make('span', { class: 'unseen' }, 'Action'))))),
    make('tbody', { role: 'rowgroup' }, rows.map((cells) => make('tr', { role: 'row' }, cells.map((cell, index) =>
      make('td', {
        role: 'cell', class: isBlank(cell) ? 'blank' : kind(index), 'data-label': names[index],
      }, Array.isArray(cell) ? make('div', {}, cell) : cell))))));
}

/** A part of a whole, as a bar beside its text. */
export function meter(part, whole, text = `${count(part)} of ${count(whole)}`) {
  const share = whole > 0 ? Math.min(1, part / whole) : 0;
  const bar = draw('rect', { class: share >= 1 ? 'full' : 'fill', height: 8, width: 120 * share });
  return make('div', { class: 'meter' },
    draw('svg', { viewBox: '0 0 120 8', preserveAspectRatio: 'none', 'aria-hidden': true }, bar), text);
}

/** The text that the command prints. */
export function asCommand(command, lines) {
  return make('details', { class: 'asCommand' },
    make('summary', {}, 'As a command: ', make('code', {}, command)),
    make('pre', { tabindex: 0 }, lines.join('\n')));
}

export const card = (title, ...children) => make('section', { class: 'card' }, make('h2', {}, title), children);
export const none = (text) => make('p', { class: 'quiet' }, text);

/** The number as the command masks it, unless it was asked for. */
export function masked(number, asked = '') {
  const digits = (text) => text.replace(/\D/g, '');
  if (!number || digits(asked) === digits(number)) return number;
  return `+${'•'.repeat(digits(number).length - 4)}${number.slice(-4)}`;
}

export function maskedEmail(email, asked = '') {
  if (!email || asked.trim().toLowerCase() === email) return email;
  return `${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
}
