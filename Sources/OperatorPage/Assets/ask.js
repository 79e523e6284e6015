// A form of a task, and the place of its answers.
import { announce, make } from './dom.js';
import { Refusal } from './server.js';

/**
 * Shows answers in a place, one at a time. `load(work)` shows what `work` returns: elements, or a refusal. It returns
 * whether `work` succeeded. `work` gets a signal that aborts it when the next one begins.
 */
export function answers(place) {
  const error = make('div', { class: 'error', role: 'alert' });
  const results = make('div');
  place.append(error, results);
  let latest = new AbortController();
  return async function load(work, { focuses = true } = {}) {
    latest.abort();
    const mine = latest = new AbortController();
    place.setAttribute('aria-busy', 'true');
    error.textContent = '';
    try {
      const elements = await work(mine.signal);
      if (mine !== latest || !place.isConnected) return false;
      results.replaceChildren(...elements.flat(Infinity).filter(Boolean));
      const heading = results.querySelector('h2');
      announce(heading?.textContent ?? 'Loaded.');
      if (focuses && heading) {
        heading.tabIndex = -1;
        heading.focus();
      }
      return true;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (mine !== latest) return false;
      results.replaceChildren();
      error.textContent = refusal.message;
      return false;
    } finally {
      if (mine === latest) place.removeAttribute('aria-busy');
    }
  };
}

/**
 * Adds a form. `fields` are objects with name, label and value, and optionally hint, isRequired or options
 * (value → text). `submit` gets the values by name.
 */
export function ask(place, fields, button, submit) {
  const inputs = fields.map(({ name, label, value = '', hint, isRequired = false, options }, index) => {
    const id = `ask-${name}`;
    const input = options
      ? make('select', { id, name }, Object.entries(options).map(([option, text]) =>
        make('option', { value: option, selected: option === value }, text)))
      : make('input', {
        class: 'field', id, name, autocomplete: 'off', spellcheck: 'false', placeholder: hint, required: isRequired,
      });
    if (!options) input.value = value;
    return make('div', { class: index === 0 ? 'wide' : undefined }, make('label', { for: id }, label), input);
  });
  const form = make('form', { class: 'ask', autocomplete: 'off' }, inputs,
    make('button', { class: 'primary' }, button));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(Object.fromEntries([...form.elements].filter(({ name }) => name)
      .map(({ name, value }) => [name, value.trim()])));
  });
  place.append(make('section', { class: 'card', 'aria-label': button }, form));
  return form;
}
