/**
 * What the components share: their settings, the server, the signed-in user, steps, and refusals in plain words. A
 * component has `showNext`, which shows the user's next step.
 */
class DialtoneElement extends HTMLElement {
  static observedAttributes = ['api-key', 'url', 'lang', 'persistence', 'mode', 'email-link'];

  #auth = null; #sdk = null; #unsubscribe = null; #isStarting = false; #pending = null; #isReady;
  /** The configuration in the page's document, for the first start. */
  preset = null;
  current = null;
  action = null;
  started = 0;
  ready = new Promise((resolve) => { this.#isReady = resolve; });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(BUILT.style);
    root.adoptedStyleSheets = [sheet];
    this.stage = make('div', { class: 'stage' });
    this.announcer = make('p', { class: 'unseen', role: 'status' });
    root.append(make('div', { class: 'card', part: 'card' }, this.stage, this.announcer));
  }

  /** The `Auth` of the official JS SDK in which users are signed in. Set `sdk`, too. */
  get auth() { return this.#auth; }
  set auth(auth) {
    this.#auth = auth;
    this.restart();
  }

  /** The functions of the SDK: the module `firebase/auth`, or an object with the functions that are needed. */
  get sdk() { return this.#sdk; }
  set sdk(sdk) {
    this.#sdk = sdk;
    this.restart();
  }

  /** The signed-in user; null if no one is. */
  get user() { return this.current; }

  connectedCallback() {
    this.listeners = {
      online: () => this.#resume(),
      // Another tab: `clear()` names no key.
      storage: ({ key }) => { if (key === null || key === this.userKey) this.follow(); },
      // Another page, before the browser went back to this one, which it had kept in memory.
      pageshow: ({ persisted }) => { if (persisted) this.follow(); },
      // Another component of this page.
      'dialtone-signed-in': (event) => { if (!this.isOwn(event)) this.follow(); },
      'dialtone-signed-out': (event) => { if (!this.isOwn(event)) this.follow(); },
      // A function of the module.
      'dialtone-stored': () => this.follow(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) window.addEventListener(name, listener);
    this.restart();
  }

  disconnectedCallback() {
    for (const [name, listener] of Object.entries(this.listeners)) window.removeEventListener(name, listener);
    this.started++;
    this.leave();
    if (this.#unsubscribe) this.#unsubscribe();
    this.#unsubscribe = null;
  }

  isOwn(event) {
    return this.contains(event.composedPath()[0]);
  }

  attributeChangedCallback(_, before, after) {
    if (before !== after) this.restart();
  }

  /** Forgets the user in this browser. */
  async signOut() {
    if (this.auth) return this.auth.signOut();
    if (this.users) this.users.remove(this.userKey);
    this.forget();
  }

  get userKey() { return 'dialtone-user:' + this.getAttribute('api-key'); }

  /** The end of the configuration's URL. */
  get page() { return ''; }

  // --- Hooks of the components

  /** Starts with the configuration that was just read. */
  begin() {}

  /** Returns whether an action of the user is in progress in the component; it ends by itself. */
  isActing() { return Boolean(this.action); }

  /** Records the state before an action. */
  beginAction() {}

  /** Ends what belongs to the step that is shown. */
  leave() {
    this.announce('');
    this.#pending = this.action = null;
  }

  /** Adopts the configuration that the server sent. */
  configure(configuration) {
    this.configuration = configuration;
    this.texts = configuration.texts;
    this.language = configuration.language;
    this.stage.lang = this.language;
    this.stage.dir = configuration.direction;
  }

  offlineTitle(language) {
    return BUILT.offlineTexts[language][3];
  }

  /** Gets new tokens after a refusal. Forgets the user if the session is over. */
  async checkSession() {
    await this.current.getIdToken(true);
  }

  /** Forgets the user, whose session is over. */
  forget() {
    const isKnown = this.current;
    this.current = null;
    this.leave();
    this.showNext();
    if (isKnown) this.tell('dialtone-signed-out', {});
  }

  // --- Start

  /** Starts over once all attributes and properties of the current task are set. */
  async restart() {
    if (!this.isConnected) return;
    const start = ++this.started;
    await null;
    if (start !== this.started || !this.isConnected) return;
    this.leave();
    if (this.#unsubscribe) this.#unsubscribe();
    this.#unsubscribe = null;
    const apiKey = this.getAttribute('api-key');
    if (!apiKey) throw failure('auth/argument-error', this.localName + ' needs an api-key');
    this.server = new Server(new URL(this.getAttribute('url') || own, document.baseURI).origin, apiKey);
    this.#useStorage(this.getAttribute('persistence') || 'local');
    this.wanted = this.lang || (this.closest('[lang]') || document.documentElement).lang || navigator.language || 'en';
    this.begin();
    await this.#load(start);
  }

  /** Moves to another storage: a signed-in user stays signed in, and no tokens are left behind. */
  #useStorage(name) {
    if (this.users && this.users.name === name) return;
    this.users = new SafeStorage(name);
    if (this.current instanceof DialtoneUser) DialtoneUser.move(this.current, this.users);
  }

  async #load(start) {
    let refusal = null;
    try {
      const configuration = this.preset || await this.server.call(
        '/v2/signInConfig?hl=' + encodeURIComponent(this.wanted) + this.page, null, { cache: 'default' });
      if (start !== this.started) return;
      this.preset = null;
      this.configure(configuration);
    } catch (thrown) {
      if (start !== this.started) return;
      refusal = refusalOf(thrown);
    }
    // What the previous step began ends with it.
    this.leave();
    if (this.auth && !refusal) {
      this.#isStarting = true;
      this.#unsubscribe = this.auth.onAuthStateChanged((user) => this.#becomes(user));
      return;
    }
    const isOther = !this.auth && this.#restore();
    if (refusal) this.#showUnreachable(refusal);
    else this.showNext();
    this.#isReady();
    if (isOther && this.current) {
      this.tell('dialtone-signed-in', {
        user: this.current, operation: 'signIn', isNewUser: false, isRestored: true, replacedUser: null,
      });
    }
  }

  /** Takes the user whom the browser stores, even if the server cannot be reached. Returns whether the user changed. */
  #restore() {
    const before = this.current, stored = this.users.get(this.userKey), uid = uidOf(stored);
    if (uid === (before && before.uid)) return false;
    this.current = uid && this.userWith(stored);
    if (before) this.tell('dialtone-signed-out', {});
    return true;
  }

  userWith(tokens) {
    return new DialtoneUser(this.server, this.users, this.userKey, tokens, (user) => {
      if (user === this.current) this.forget();
    });
  }

  /** Follows what another page did: the user may have signed in or out there. */
  follow() {
    if (this.auth || !this.users) return;
    if (uidOf(this.users.get(this.userKey)) !== (this.current && this.current.uid)) this.restart();
  }

  /** Follows the SDK's own state, which other parts of the app may change. */
  #becomes(user) {
    const before = this.current, isStarting = this.#isStarting;
    this.#isStarting = false;
    this.#isReady();
    if (user) {
      const isSame = before && before.uid === user.uid;
      this.current = user;
      if (this.isActing() || isSame && !isStarting) return;
      this.showNext();
      if (!isSame) {
        this.tell('dialtone-signed-in', {
          user, operation: 'signIn', isNewUser: false, isRestored: true, replacedUser: null,
        });
      }
    } else if (before) {
      this.forget();
    } else if (isStarting) {
      this.showNext();
    }
  }

  #showUnreachable(refusal) {
    const tags = [this.wanted, this.wanted.split(/[-_]/)[0], 'en'];
    if (tags[1] === 'zh') tags[1] = /hant|tw|hk|mo/i.test(this.wanted) ? 'zh-Hant' : 'zh-Hans';
    const language = tags.find((tag) => Object.hasOwn(BUILT.offlineTexts, tag));
    const [network, server, again] = BUILT.offlineTexts[language];
    this.stage.lang = language;
    this.stage.dir = /^(ar|he)$/.test(language) ? 'rtl' : 'ltr';
    this.#pending = () => this.restart();
    this.input = this.error = null;
    this.show('unreachable', make('div', { class: 'step' }, this.heading(this.offlineTitle(language), 'title'),
      make('p', { class: 'error shown', part: 'error', role: 'alert' }, refusal.code === 'NETWORK' ? network : server),
      make('button', { type: 'button', class: 'primary', part: 'button', click: () => this.restart() }, again)));
  }

  // --- Steps

  /** Shows a step. If the focus was in the previous step, it moves to the new one; otherwise it would be lost. */
  show(name, step, focused) {
    const hadFocus = this.shadowRoot.activeElement;
    this.dataset.step = name;
    this.stage.replaceChildren(step);
    const next = focused || (hadFocus ? this.input || step.querySelector('.title') : null);
    if (next) next.focus();
  }

  /** Returns a function that tells whether the current step is still shown and nothing has started over. */
  here() {
    const start = this.started, step = this.stage.firstChild;
    return () => start === this.started && step === this.stage.firstChild;
  }

  heading(text, slot) {
    const level = /^[1-6]$/.test(this.getAttribute('heading-level')) ? this.getAttribute('heading-level') : '2';
    const heading = make('h' + level, { class: 'title', part: 'title', id: 'title', tabindex: '-1' }, text);
    return slot ? make('slot', { name: slot }, heading) : heading;
  }

  /** Creates a form. Submitting it runs an action; only one action runs at a time. */
  form(action, ...children) {
    return make('form', {
      class: 'step', novalidate: true, 'aria-labelledby': 'title',
      submit: (event) => {
        event.preventDefault();
        this.act(action);
      },
    }, ...children);
  }

  field(name, label, attributes) {
    this.input = make('input', {
      class: 'input', part: 'input', id: name, name, 'aria-describedby': 'error', 'aria-required': 'true',
      ...attributes,
    });
    return [make('label', { for: name, part: 'label' }, label), this.input];
  }

  detail(...text) {
    return make('p', { class: 'detail', part: 'detail', id: 'detail' }, ...text);
  }

  errorLine() {
    this.error = make('p', { class: 'error', part: 'error', role: 'alert', id: 'error' });
    return this.error;
  }

  primary(text) {
    return make('button', { class: 'primary', part: 'button', type: 'submit' }, make('span', {}, text));
  }

  link(text, click) {
    return make('button', { class: 'link', part: 'link', type: 'button', click }, text);
  }

  announce(text) {
    this.announcer.textContent = text;
  }

  // --- Actions and refusals

  /** Runs one action of the user; a second press meanwhile does nothing. */
  async act(action) {
    if (this.action) return;
    this.action = action;
    this.beginAction();
    const step = this.stage.firstChild, isHere = this.here();
    this.#pending = null;
    this.showError('');
    step.setAttribute('aria-busy', 'true');
    try {
      await action();
    } catch (thrown) {
      const refusal = refusalOf(thrown);
      // An SDK tells that its user has signed out after it rejects.
      if (REVOKED.test(refusal.code) && this.current) await this.checkSession(refusal).catch(() => pause(0));
      if (!isHere()) return;
      if (refusal.code === 'NETWORK' && navigator.onLine === false) {
        this.#pending = () => this.act(action);
        this.showError(this.texts.offline);
      } else if (this.tell('dialtone-refused', { code: refusal.code, reference: refusal.reference })) {
        this.showRefusal(refusal);
      }
      if (!(thrown instanceof Refusal) && !(thrown && thrown.code)) console.error(thrown);
    } finally {
      if (this.action === action) this.action = null;
      step.removeAttribute('aria-busy');
    }
  }

  #resume() {
    const pending = this.#pending;
    this.#pending = null;
    if (pending) pending();
  }

  /** Shows lines of text, and the reference by which operators find the reason. */
  showError(text, reference = '') {
    if (!this.error) return;
    this.error.classList.toggle('shown', Boolean(text));
    this.error.replaceChildren(...text.split('\n').map((line) => make('span', {}, line)));
    if (reference) {
      this.error.append(make('small', { part: 'reference' },
        ...filled(this.texts.reference, { reference: ltr(reference) })));
    }
    if (this.input) this.input.setAttribute('aria-invalid', String(Boolean(text)));
  }

  time(seconds) {
    const [value, unit] = seconds < 90 ? [seconds, 'second']
      : seconds < 5400 ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds / 3600), 'hour'];
    return new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  }

  plain(text, values) {
    return filled(text, values).join('');
  }

  /** The names of refusals' texts, by code. */
  get words() { return TEXT_OF_CODE; }

  showRefusal(refusal) {
    const { texts } = this;
    let text = texts[this.words[refusal.code] || 'serverFailed'];
    if (refusal.code === 'INVALID_PHONE_NUMBER') {
      text = { TOO_SHORT: texts.tooShort, TOO_LONG: texts.tooLong }[refusal.detail] || texts.invalidNumber;
    } else if (refusal.code === 'OPERATION_NOT_ALLOWED' && /region/.test(refusal.detail)) {
      text = texts.regionNotAllowed;
    } else if (/^(TOO_MANY_ATTEMPTS_TRY_LATER|QUOTA_EXCEEDED)$/.test(refusal.code)) {
      text = refusal.retryAfter
        ? this.plain(texts.tooManyRequestsFor, { time: this.time(refusal.retryAfter) })
        : this.isConfirming ? texts.attemptsSpent : texts.tooManyRequests;
    } else if (refusal.code === 'LENGTH') {
      text = this.plain(text, { number: String(this.configuration.codeLength) });
    } else if (refusal.attemptsLeft === 0) {
      text = texts.attemptsSpent;
    } else if (refusal.attemptsLeft !== null) {
      text += '\n' + this.plain(texts.attemptsLeft, { number: String(refusal.attemptsLeft) });
    }
    this.showError(text, refusal.reference);
    if (this.input) {
      this.input.focus();
      // A wrong code is replaced; a number is completed or corrected.
      if (this.isConfirming) this.input.select();
    }
  }

  /** Dispatches an event. Returns false if a listener prevents what follows. */
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, cancelable: true, detail }));
  }
}
