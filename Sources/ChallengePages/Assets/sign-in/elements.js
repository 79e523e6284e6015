// Elements, and the texts in them.

/** Creates an element. An attribute that is a function is a listener; true is an empty attribute, false is none. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Returns the parts of a text with its placeholders replaced by texts or elements. */
function filled(text, values) {
  return text.split(/(\{[a-z]+\})/).map((part) => (part[0] === '{' ? values[part.slice(1, -1)] : part));
}

const ltr = (text) => make('bdi', { dir: 'ltr' }, text);
