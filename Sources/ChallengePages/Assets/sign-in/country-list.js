// The list of countries: a combobox with a list box (ARIA APG).

class CountryList {
  constructor(component, chosen) {
    this.component = component;
    this.chosen = chosen;
    this.options = null;
    this.shown = [];
    this.active = -1;
    const { texts } = component;
    this.button = make('button', {
      type: 'button', class: 'country', part: 'country', 'aria-haspopup': 'listbox', 'aria-expanded': 'false',
      click: () => (this.panel.hidden ? this.open() : this.close()),
      keydown: (event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        this.open();
      },
    });
    this.search = make('input', {
      type: 'text', class: 'search', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'countries',
      'aria-autocomplete': 'list', 'aria-label': texts.search, placeholder: texts.search, autocomplete: 'off',
      autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'done', input: () => this.filter(),
      keydown: (event) => this.press(event),
    });
    this.list = make('ul', {
      id: 'countries', role: 'listbox', 'aria-label': texts.country,
      // The search field keeps the focus.
      mousedown: (event) => event.preventDefault(),
      click: (event) => {
        const option = event.target.closest('[role=option]');
        if (option) this.choose(option.dataset.region);
      },
    });
    this.nothing = make('p', { class: 'nothing', role: 'status' });
    this.panel = make('div', {
      class: 'panel', part: 'countries', hidden: true,
      focusout: (event) => { if (!this.panel.contains(event.relatedTarget)) this.close(false); },
    }, this.search, this.list, this.nothing);
  }

  show(region) {
    const entry = this.component.regions.get(region);
    if (!entry) return;
    this.region = region;
    const label = (name) => {
      this.button.setAttribute('aria-label', this.component.texts.country + ': ' + name + ' +' + entry.code);
    };
    label(region);
    this.component.drawn.then(() => { if (this.region === region) label(this.nameOf(region)); });
    this.button.replaceChildren(
      make('span', { class: 'region' }, region), make('span', { class: 'dial' }, '+' + entry.code),
      make('span', { class: 'chevron', 'aria-hidden': 'true' }),
    );
  }

  nameOf(region) {
    try { return this.component.names.of(region) || region; } catch (_) { return region; }
  }

  open() {
    if (!this.options) this.fillList();
    this.panel.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    this.search.value = '';
    this.filter();
    this.activate(this.shown.findIndex((option) => option.dataset.region === this.region));
    this.search.focus();
    // At a high zoom, the window ends above the list.
    this.panel.scrollIntoView({ block: 'nearest' });
  }

  close(takesFocus = true) {
    if (this.panel.hidden) return;
    this.panel.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    if (takesFocus) this.button.focus();
  }

  fillList() {
    const { regions, language } = this.component;
    const entries = [...regions].map(([region, { code }]) => ({ region, code, name: this.nameOf(region) }));
    entries.sort((a, b) => a.name.localeCompare(b.name, language));
    this.options = entries.map(({ region, code, name }) => {
      const option = make('li', { role: 'option', id: 'country-' + region, 'data-region': region },
        make('span', {}, name), ltr('+' + code));
      option.words = this.key(name) + ' ' + region.toLowerCase() + ' +' + code;
      return option;
    });
  }

  /** Returns a text without case and accents, for comparison. */
  key(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase(this.component.language);
  }

  filter() {
    const wanted = this.key(withASCIIDigits(this.search.value).trim());
    this.shown = this.options.filter(({ words }) => words.includes(wanted));
    // Names that begin with the text come first.
    if (wanted) this.shown.sort((a, b) => b.words.startsWith(wanted) - a.words.startsWith(wanted));
    this.list.replaceChildren(...this.shown);
    this.list.hidden = !this.shown.length;
    this.search.setAttribute('aria-expanded', String(!this.list.hidden));
    this.nothing.textContent = this.shown.length ? '' : this.component.texts.noCountry;
    this.activate(this.shown.length ? 0 : -1);
  }

  activate(index) {
    for (const option of this.options) {
      option.setAttribute('aria-selected', String(option.dataset.region === this.region));
      option.classList.remove('active');
    }
    this.active = index;
    const option = this.shown[index];
    if (!option) {
      this.search.removeAttribute('aria-activedescendant');
      return;
    }
    option.classList.add('active');
    this.search.setAttribute('aria-activedescendant', option.id);
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    const bottom = offsetTop + offsetHeight - this.list.clientHeight;
    if (bottom > this.list.scrollTop) this.list.scrollTop = bottom;
  }

  press(event) {
    const last = this.shown.length - 1;
    const moves = {
      ArrowDown: () => this.activate(this.active < last ? this.active + 1 : 0),
      ArrowUp: () => this.activate(this.active > 0 ? this.active - 1 : last),
      PageDown: () => this.activate(Math.min(this.active + 8, last)),
      PageUp: () => this.activate(Math.max(this.active - 8, 0)),
      Enter: () => { if (this.shown[this.active]) this.choose(this.shown[this.active].dataset.region); },
      Escape: () => this.close(),
    };
    const move = moves[event.key];
    if (!move || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  choose(region) {
    this.close(false);
    this.chosen(region);
  }
}
