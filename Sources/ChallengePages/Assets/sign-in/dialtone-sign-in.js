// <dialtone-sign-in>: signs users in on any web page.
//
//   <script type="module" src="https://auth.example.com/__/auth/sign-in.js"></script>
//   <dialtone-sign-in api-key="…"></dialtone-sign-in>
//
// Without further settings it uses the REST interface and keeps the tokens. With `auth` and `sdk`, an `Auth` of the
// official JS SDK and the SDK's functions, the user is signed in there. Text from the server is inserted as text nodes
// only, never as markup (no XSS). `ComponentModule` joins the module from this folder's files and the constant BUILT,
// which has the style sheet, and texts in case the server cannot be reached.
const READ_DELAY_MS = 150;
const DRAFT_LIFE_MS = 3600000;
const CHANNELS = { sms: 'SMS', whatsapp: 'WhatsApp', telegram: 'Telegram' };

class DialtoneSignIn extends DialtoneElement {
  #otp = null; #timer = null; #reader = null; #names = null;

  /** Creates an anonymous user, to whose account a number given later is added. An SDK has its own function. */
  async signInAnonymously() {
    await this.ready;
    if (this.current) return this.current;
    const start = this.started, create = () => this.way.signInAnonymously();
    // An SDK tells its new user before it returns.
    this.action = this.action || create;
    try {
      const result = await create();
      if (start === this.started) {
        this.before = null;
        this.#finish(result);
      }
    } finally {
      if (this.action === create) this.action = null;
    }
    return this.current;
  }

  /**
   * Why a number or a password is requested: `link` adds it to the user's account, which may be anonymous; `enroll`
   * makes the number a second factor.
   */
  get #purpose() {
    const mode = this.getAttribute('mode');
    if (this.current && (mode === 'link' || this.current.isAnonymous)) return 'link';
    return this.current && (mode === 'reauthenticate' || mode === 'enroll') ? mode : 'signIn';
  }

  get #isForUser() { return this.#purpose === 'link' || this.#purpose === 'enroll'; }

  /** The key of stored drafts, one for each mode: a code that was sent for one purpose is not valid for another. */
  get #draftKey() {
    return ['dialtone-sign-in', this.getAttribute('api-key'), this.getAttribute('mode')].filter(Boolean).join(':');
  }

  begin() {
    this.drafts = this.drafts || new SafeStorage('session');
    // A link is opened in another tab.
    this.addressees = this.addressees || new SafeStorage('local');
    this.way = this.auth && this.sdk ? new SdkSignIn(this.auth, this.sdk) : new RestSignIn(this.server);
  }

  /** Records the user, because an SDK changes its user before it returns. */
  beginAction() {
    const user = this.current;
    this.before = user && { user, uid: user.uid, isAnonymous: user.isAnonymous, purpose: this.#purpose };
  }

  /** Shows the user's next step. */
  showNext() {
    // Without the server's texts, no step can be shown.
    if (!this.texts) this.restart();
    else if (this.#purpose === 'signIn' && this.current) this.#showDone(false);
    else {
      try { this.#showDraft(); } catch (_) {
        // A draft that is malformed, such as one of another version of the component.
        this.drafts.remove(this.#draftKey);
        this.#showDraft();
      }
    }
  }

  configure(configuration) {
    super.configure(configuration);
    this.regions = new Map(configuration.regions.map(([region, code, example]) => [region, { code, example }]));
    this.#names = null;
    this.drawn = nextFrame();
    this.hasNumbers = (configuration.phoneSignIn || this.getAttribute('mode') === 'enroll') && this.regions.size > 0;
    this.hasPasswords = configuration.passwordSignIn && this.way.hasPasswords;
  }

  get words() {
    return {
      ...super.words,
      CREDENTIAL_TOO_OLD_LOGIN_AGAIN: this.#isForUser ? 'signInAgain' : 'numberRecycled',
    };
  }

  #showDraft() {
    const draft = this.drafts.get(this.#draftKey);
    const isRecent = draft && Math.abs(Date.now() - draft.at) < DRAFT_LIFE_MS;
    this.number = isRecent && draft.number || this.#purpose === 'reauthenticate' && this.current.phoneNumber || '';
    this.email = this.email || this.current && this.current.email || '';
    this.isGuess = !(isRecent && this.regions.has(draft.region));
    this.region = this.isGuess ? this.#guessRegion() : draft.region;
    this.factors = isRecent && draft.factors || null;
    this.factor = this.factors && this.factors.list.find(({ id }) => id === draft.factor) || null;
    this.session = isRecent && draft.session || null;
    if (this.#isOpenedByLink) return this.#showOpenedLink();
    if (this.session) {
      const left = Math.min(this.session.heldUntil - Date.now(), this.session.wait * 1000);
      this.heldUntil = performance.now() + left;
      return this.#showCode();
    }
    if (this.factors) return this.#showFactors();
    // A user without a number confirms with the password.
    const isByPassword = this.hasPasswords && this.#purpose === 'reauthenticate' && !this.number && this.email;
    if (this.hasNumbers && !isByPassword) this.#showNumber();
    else this.#showPassword();
  }

  /** The names of regions. Browsers take long to return the first one. */
  get names() {
    this.#names = this.#names || new Intl.DisplayNames([this.language], { type: 'region' });
    return this.#names;
  }

  /** Returns the language's region at first. The time zone's region follows, unless the user chooses another. */
  #guessRegion() {
    const { regions } = this;
    if (regions.has(this.likely)) return this.likely;
    this.guess = likelyRegion(regions, this.drawn).then((region) => {
      if (regions !== this.regions) return;
      this.likely = region;
      if (!this.isGuess) return;
      if (this.dataset.step === 'number') this.#setRegion(region);
      else this.region = region;
    });
    return firstRegion(regions);
  }

  /** Keeps what a reload must not lose. An SDK's resolver cannot be kept. */
  #keep() {
    const isLost = this.factors && this.factors.resolver;
    this.drafts.set(this.#draftKey, {
      at: Date.now(), number: this.number, region: this.region, session: isLost ? null : this.session,
      factors: isLost ? null : this.factors, factor: this.factor && !isLost ? this.factor.id : null,
    });
  }

  // --- Steps

  leave() {
    clearInterval(this.#timer);
    clearTimeout(this.reading);
    clearTimeout(this.checking);
    super.leave();
    this.style.removeProperty('--dialtone-progress');
    if (this.#otp) this.#otp.abort();
    if (this.#reader) this.#reader.abort();
    if (this.verifier) this.verifier.clear();
    this.#otp = this.#reader = null;
    for (const element of this.querySelectorAll('[slot=challenge]')) element.remove();
  }

  get #title() {
    const { texts } = this, mode = this.current && this.getAttribute('mode');
    return mode === 'link' || mode === 'enroll' ? texts.linkTitle
      : mode === 'reauthenticate' ? texts.confirmTitle : texts.title;
  }

  // --- Number

  #showNumber(focuses = this.hasAttribute('autofocus')) {
    const { texts } = this;
    this.isConfirming = false;
    this.session = this.factors = this.factor = null;
    this.countries = new CountryList(this, (region) => this.#chooseRegion(region));
    const field = this.field('number', texts.number, {
      type: 'tel', inputmode: 'tel', autocomplete: 'tel', dir: 'ltr', enterkeyhint: 'send', value: this.number,
      input: (event) => this.#typeNumber(event), paste: (event) => this.#pasteNumber(event),
      blur: () => this.#tidyNumber(),
    });
    const box = make('div', { class: 'box', part: 'box' }, this.countries.button, field[1], this.countries.panel);
    const form = this.form(() => this.#sendCode(), this.heading(this.#title, 'title'), field[0], box,
      this.errorLine(), make('slot', { name: 'challenge' }), this.primary(texts.send),
      this.hasPasswords && !/^(link|enroll)$/.test(this.getAttribute('mode'))
        ? this.link(texts.usePassword, () => this.#showPassword(true)) : null,
      make('slot', { name: 'terms' }));
    this.#setRegion(this.region);
    this.read = null;
    this.show('number', form, focuses ? this.input : null);
  }

  #setRegion(region) {
    if (region !== this.region) this.isGuess = false;
    this.region = region;
    this.countries.show(region);
    this.input.placeholder = (this.regions.get(region) || {}).example || '';
  }

  #chooseRegion(region) {
    this.isGuess = false;
    const before = this.regions.get(this.region), { code } = this.regions.get(region);
    const typed = digitsOf(this.input.value);
    if (typed[0] === '+') {
      const old = '+' + (before ? before.code : '');
      this.input.value = before && typed.startsWith(old) ? '+' + code + typed.slice(old.length) : '';
    }
    this.#setRegion(region);
    this.input.focus();
    this.#readSoon(0);
  }

  #pasteNumber(event) {
    const text = event.clipboardData && event.clipboardData.getData('text');
    if (!text) return;
    event.preventDefault();
    this.input.setRangeText(numberIn(text), this.input.selectionStart, this.input.selectionEnd, 'end');
    this.#typeNumber({ inputType: 'insertFromPaste' });
  }

  #typeNumber(event) {
    this.showError('');
    // Autofill, and anything that is not typed, may contain more than the number.
    if (!event.inputType && /[^\d+\s().-]/.test(this.input.value)) this.input.value = numberIn(this.input.value);
    this.isDeleting = /^delete/.test(event.inputType || '');
    const typed = digitsOf(this.input.value);
    if (typed[0] === '+') {
      this.isGuess = false;
      const current = this.regions.get(this.region);
      const codes = [...this.regions].filter(([, { code }]) => typed.startsWith('+' + code));
      const longest = codes.sort((a, b) => String(b[1].code).length - String(a[1].code).length)[0];
      if (longest && !(current && current.code === longest[1].code)) this.#setRegion(longest[0]);
    }
    this.#readSoon(READ_DELAY_MS);
  }

  #readSoon(delay) {
    clearTimeout(this.reading);
    // A number that is being sent is not read a second time: that would end the first reading.
    if (this.action || digitsOf(this.input.value).length < 3) return;
    this.reading = setTimeout(() => this.#readNumber().catch(() => { /* Sending shows what is wrong. */ }), delay);
  }

  /** Returns how the server reads the typed number, and formats the number. */
  async #readNumber() {
    const { input } = this;
    // The region in which a number without a country code is dialed.
    await this.guess;
    const text = input.value, { region } = this;
    if (this.read && this.read.text === text && this.read.region === region) return this.read.answer;
    if (this.#reader) this.#reader.abort();
    const reader = this.#reader = new AbortController();
    const ask = (phoneNumber) => this.server.call(
      '/v2/parsePhoneNumber', { phoneNumber, regionCode: region }, { signal: reader.signal });
    let answer = await ask(withASCIIDigits(text));
    const typed = digitsOf(text);
    // Another country's international prefix.
    if (!answer.valid && typed.startsWith('00')) {
      const other = await ask('+' + typed.slice(2));
      if (other.valid) answer = { ...other, asYouType: null };
    }
    if (this.input !== input || input.value !== text) return answer;
    this.read = { text, region, answer };
    if (answer.regionCode && this.regions.has(answer.regionCode)) {
      if (answer.regionCode !== this.region) this.#setRegion(answer.regionCode);
      this.read.region = this.region;
    }
    const isAtEnd = input.selectionStart === text.length;
    if (answer.asYouType && isAtEnd && !this.isDeleting && digitsOf(answer.asYouType) === typed) {
      input.value = this.read.text = answer.asYouType;
    }
    return answer;
  }

  /** Shows a complete number as it is usually written. */
  #tidyNumber() {
    const { read, input } = this;
    if (!read || read.text !== input.value || !read.answer.valid || read.answer.regionCode !== this.region) return;
    const isInternational = digitsOf(read.text)[0] === '+';
    input.value = read.text = isInternational ? read.answer.internationalFormat : read.answer.nationalFormat;
  }

  async #sendCode() {
    clearTimeout(this.reading);
    if (!digitsOf(this.input.value)) throw new Refusal('MISSING');
    const isHere = this.here();
    const answer = await this.#readNumber();
    if (!answer.phoneNumber) throw new Refusal(answer.reason || 'MALFORMED');
    if (answer.regionAllowed === false) throw new Refusal('REGION');
    if (answer.accepted === false) throw new Refusal('MALFORMED');
    this.number = this.input.value;
    // The app may ask for something else first, such as a new sign-in.
    this.#keep();
    const sent = await this.#sendTo(answer.phoneNumber);
    if (!isHere()) return;
    this.#beginSession(sent, { number: answer.phoneNumber, shown: answer.internationalFormat });
    this.#showCode(true);
  }

  #beginSession({ info, wait, channels }, session, channel = channels[0]) {
    this.session = { ...session, info, channels, channel };
    this.#holdMessages(wait);
  }

  /**
   * Makes the user wait before another message. The browser's clock, which may change, counts only after a reload;
   * until then a monotonic clock does.
   */
  #holdMessages(seconds) {
    Object.assign(this.session, { wait: seconds, heldUntil: Date.now() + seconds * 1000 });
    this.heldUntil = performance.now() + seconds * 1000;
    this.#keep();
  }

  async #sendTo(phoneNumber, channel) {
    const send = async () => (this.#purpose === 'enroll'
      ? this.way.sendEnrollmentCode(this.current, phoneNumber, this.#proof(), this.language, channel)
      : sentMessage(await this.server.call('/v1/accounts:sendVerificationCode', {
        phoneNumber, recaptchaToken: await this.#prove(), channel, ...CLIENT,
      }, { language: this.language })));
    try {
      return await send();
    } catch (refusal) {
      // The server may ask for harder work, once.
      if (refusalOf(refusal).code !== 'CAPTCHA_CHECK_FAILED') throw refusal;
      return send();
    }
  }

  // --- Proof that the client is not a robot

  #proof() {
    return { type: 'recaptcha', verify: () => this.#prove(), _reset() {}, clear() {} };
  }

  async #prove() {
    const isHere = this.here();
    const token = await (this.configuration.provider ? this.#askProvider() : this.#work());
    // No message is sent for a step that the user has left meanwhile.
    if (!isHere()) throw new Refusal('LEFT');
    return token;
  }

  async #work() {
    // Short work is not announced.
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.announce(this.texts.checking), 1000);
    const { origin, apiKey } = this.server;
    this.verifier = new DialtoneVerifier({
      apiKey, url: origin, onProgress: (share) => this.style.setProperty('--dialtone-progress', share),
    });
    try {
      return await this.verifier.verify();
    } finally {
      clearTimeout(this.checking);
      this.style.removeProperty('--dialtone-progress');
    }
  }

  async #askProvider() {
    const { provider } = this.configuration;
    const api = await this.#loadProvider(provider);
    if (!provider.isInvisible) this.announce(this.texts.confirm);
    return new Promise((resolve, reject) => {
      // Widgets look for their own elements in the document, so theirs is a child of the component, in a slot.
      const place = make('div', { slot: 'challenge' });
      for (const old of this.querySelectorAll('[slot=challenge]')) old.remove();
      this.append(place);
      const widget = api.render(place, {
        sitekey: provider.siteKey,
        size: provider.isInvisible ? 'invisible' : this.clientWidth < 340 ? 'compact' : 'normal',
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: (token) => { place.remove(); resolve(token); },
        'error-callback': () => { place.remove(); reject(new Refusal('NETWORK')); },
        'expired-callback': () => api.reset(widget),
      });
      if (provider.isInvisible) api.execute(widget);
    });
  }

  #loadProvider({ name, script }) {
    if (window[name] && window[name].render) return Promise.resolve(window[name]);
    return new Promise((resolve, reject) => {
      const element = make('script', { src: script, async: true });
      element.nonce = this.nonce;
      const lost = () => { element.remove(); reject(new Refusal('NETWORK')); };
      const timer = setTimeout(lost, FETCH_LIMIT_MS);
      window.widgetLoaded = () => { clearTimeout(timer); resolve(window[name]); };
      element.onerror = () => { clearTimeout(timer); lost(); };
      document.head.append(element);
    });
  }

  // --- Code of a message, of the first or the second factor

  #showCode(focuses = this.hasAttribute('autofocus')) {
    const { texts, configuration } = this;
    this.isConfirming = true;
    this.refused = null;
    const field = this.field('code', texts.code, {
      type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', dir: 'ltr', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'done', class: 'input code', 'aria-describedby': 'detail error',
      input: () => this.#typeCode(),
      paste: (event) => {
        const text = event.clipboardData && event.clipboardData.getData('text');
        if (!text) return;
        event.preventDefault();
        this.#fillCode(codeIn(text, configuration.codeLength));
      },
    });
    const again = async (channel) => {
      const isHere = this.here();
      await this.act(() => this.#sendAgain(channel));
      // The code may have been entered meanwhile.
      if (isHere()) this.#submitCode();
    };
    this.resend = make('button', { type: 'button', class: 'secondary', part: 'resend', click: () => again() });
    this.others = new Map((this.session.channels || []).map((channel) => [channel, this.link(
      channel === 'voice' ? texts.callMe : this.plain(texts.sendBy, { name: CHANNELS[channel] }),
      () => again(channel))]));
    const back = this.factor ? this.link(texts.otherWay, () => this.#showFactors(true, true))
      : this.link(texts.changeNumber, () => this.#changeNumber());
    const form = this.form(() => this.#confirmCode(), this.heading(texts.codeTitle),
      this.detail(...filled(texts.codeSent, { number: ltr(this.session.shown) })), ...field, this.errorLine(),
      make('slot', { name: 'challenge' }), this.primary(texts.verify), this.resend, ...this.others.values(), back);
    this.show('code', form, focuses ? this.input : null);
    this.#countDown();
    this.#timer = setInterval(() => this.#countDown(), 1000);
    this.#awaitMessage();
  }

  #changeNumber() {
    this.leave();
    this.session = null;
    this.#keep();
    this.#showNumber(true);
  }

  #countDown() {
    const { texts } = this;
    const end = Math.min(this.heldUntil - performance.now(), this.session.heldUntil - Date.now());
    const left = Math.min(Math.ceil(end / 1000), 86400);
    this.resend.setAttribute('aria-disabled', String(left > 0));
    for (const [channel, link] of this.others) link.hidden = left > 0 || channel === this.session.channel;
    const time = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0');
    const text = left > 0 ? this.plain(texts.resendIn, { time: '\u2066' + time + '\u2069' }) : texts.resend;
    if (this.resend.textContent !== text) this.resend.textContent = text;
  }

  /** Reads the code from the message on Android, with the user's consent (WebOTP). */
  async #awaitMessage() {
    if (!('OTPCredential' in window)) return;
    if (this.#otp) this.#otp.abort();
    const otp = this.#otp = new AbortController();
    try {
      const credential = await navigator.credentials.get({ otp: { transport: ['sms'] }, signal: otp.signal });
      if (credential && otp === this.#otp) this.#fillCode(codeIn(credential.code, this.configuration.codeLength));
    } catch (_) { /* The user declined, or the step was left. */ }
  }

  #fillCode(code) {
    this.input.value = code;
    this.#typeCode();
  }

  #typeCode() {
    const { input } = this;
    const code = codeIn(input.value, this.configuration.codeLength);
    if (input.value !== code) input.value = code;
    this.showError('');
    this.#submitCode();
  }

  /** Confirms a complete code, unless it was already rejected. */
  #submitCode() {
    const { value } = this.input;
    if (value.length !== this.configuration.codeLength || value === this.refused) return;
    this.act(() => this.#confirmCode());
  }

  #confirmCode() {
    const { session, factors, factor } = this;
    return this.#confirm((code) => (factor ? this.way.confirmFactor(factors, factor, session && session.info, code)
      : this.way.confirmCode(session.info, code, this.#purpose, this.current)));
  }

  /** Ends the step with the server's response to the code, unless the user has left the step meanwhile. */
  async #confirm(request, length = this.configuration.codeLength) {
    const code = this.input.value.trim(), isHere = this.here();
    if (!code) throw new Refusal('MISSING');
    if (length && code.length !== length) throw new Refusal('LENGTH');
    let result;
    try {
      result = await request(code);
    } catch (error) {
      const { code: reason } = refusalOf(error);
      if (isHere() && reason !== 'NETWORK' && reason !== 'SERVER') this.refused = code;
      throw error;
    }
    if (isHere()) this.#finish(result);
  }

  async #sendAgain(channel) {
    if (this.resend.getAttribute('aria-disabled') === 'true') return;
    const { session, factor } = this;
    const isHere = this.here();
    try {
      const sent = await (factor
        ? this.way.sendFactorCode(this.factors, factor, this.#proof(), this.language, channel)
        : this.#sendTo(session.number, channel));
      if (!isHere()) return;
      this.#beginSession(sent, session, channel);
    } catch (error) {
      const { retryAfter } = refusalOf(error);
      if (isHere() && retryAfter) this.#holdMessages(retryAfter);
      throw error;
    } finally {
      if (isHere()) this.#countDown();
    }
    if (this.input.value === this.refused) this.input.value = '';
    this.refused = null;
    this.input.focus();
    this.announce(this.texts.resent);
    this.#awaitMessage();
  }

  // --- E-mail and password

  #showPassword(focuses = this.hasAttribute('autofocus')) {
    this.leave();
    const { texts } = this;
    this.isConfirming = false;
    const password = this.field('password', texts.password, {
      type: 'password', autocomplete: 'current-password', dir: 'ltr', enterkeyhint: 'go',
    });
    const email = this.#emailField('next');
    const form = this.form(() => this.#confirmPassword(email[1], password[1]), this.heading(this.#title, 'title'),
      ...email, ...password, this.errorLine(),
      this.primary(this.#purpose === 'reauthenticate' ? texts.verify : texts.title),
      this.way.hasResets ? this.link(texts.forgotPassword, () => this.#showLink(true, email[1].value)) : null,
      this.#offersLinks ? this.link(texts.useLink, () => this.#showLink(false, email[1].value)) : null,
      this.hasNumbers ? this.link(texts.usePhone, () => { this.leave(); this.#showNumber(true); }) : null,
      make('slot', { name: 'terms' }));
    this.show('password', form, focuses ? email[1] : null);
  }

  async #confirmPassword(email, password) {
    this.input = email.value.trim() ? password : email;
    for (const field of [email, password]) field.removeAttribute('aria-invalid');
    if (!this.input.value) throw new Refusal('MISSING');
    this.email = email.value.trim();
    const isHere = this.here();
    let result;
    try {
      result = await this.way.confirmPassword(this.email, password.value, this.#purpose, this.current);
    } catch (error) {
      if (isHere() && refusalOf(error).code === 'INVALID_EMAIL') this.input = email;
      throw error;
    }
    if (isHere()) this.#finish(result);
  }

  #emailField(enterkeyhint) {
    return this.field('email', this.texts.email, {
      type: 'email', inputmode: 'email', autocomplete: 'username', dir: 'ltr', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint, value: this.email || '',
    });
  }

  // --- Links by e-mail: to reset the password, and to sign in

  get #offersLinks() {
    return this.hasAttribute('email-link') && this.way.hasLinks && this.#purpose === 'signIn';
  }

  get #isOpenedByLink() {
    const query = new URLSearchParams(location.search);
    return this.#offersLinks && query.get('mode') === 'signIn' && query.has('oobCode')
      && query.get('apiKey') === this.getAttribute('api-key');
  }

  get #addresseeKey() { return 'dialtone-email-link:' + this.getAttribute('api-key'); }

  /** The URL of this page, to which a link leads, without what the link adds. */
  get #pageURL() {
    const url = new URL(location.href);
    for (const name of ['mode', 'oobCode', 'lang']) url.searchParams.delete(name);
    url.hash = '';
    return url.href;
  }

  #forgetLink() {
    this.addressees.remove(this.#addresseeKey);
    if (this.#isOpenedByLink) history.replaceState(history.state, '', this.#pageURL);
  }

  #readEmail() {
    this.email = this.input.value.trim();
    if (!this.email) throw new Refusal('MISSING');
  }

  #showLink(isReset, email = '') {
    this.leave();
    this.email = email.trim() || this.email;
    const { texts } = this, title = isReset ? texts.forgotPassword : this.#title;
    this.isConfirming = false;
    const form = this.form(() => this.#sendLink(isReset, title), this.heading(title, isReset ? '' : 'title'),
      ...this.#emailField('send'), this.errorLine(), this.primary(texts.sendLink),
      this.hasPasswords ? this.link(texts.usePassword, () => this.#showPassword(true)) : null,
      make('slot', { name: 'terms' }));
    this.show('link', form, this.input);
  }

  async #sendLink(isReset, title) {
    this.#readEmail();
    const isHere = this.here(), { email, texts } = this;
    if (isReset) {
      await this.way.sendPasswordReset(email, this.language).catch((error) => {
        // The user is not told who has an account, even if the server tells.
        if (refusalOf(error).code !== 'EMAIL_NOT_FOUND') throw error;
      });
    } else {
      await this.way.sendSignInLink(email, this.#pageURL, this.language);
      this.addressees.set(this.#addresseeKey, email);
    }
    if (!isHere()) return;
    this.input = null;
    const heading = this.heading(title);
    this.show('link-sent', make('div', { class: 'step' }, heading,
      this.detail(...filled(isReset ? texts.resetSent : texts.linkSent, { email: ltr(email) })),
      make('button', { type: 'button', class: 'secondary', part: 'resend', click: () => this.#showLink(isReset) },
        texts.resend),
      this.hasPasswords ? this.link(texts.usePassword, () => this.#showPassword(true)) : null), heading);
  }

  /**
   * Signs in with the link by which the page was opened, once the user presses the button, because mail scanners open
   * links. If it was requested in another browser, the user types the address: the link may be another user's.
   */
  #showOpenedLink() {
    const { texts } = this, known = this.addressees.get(this.#addresseeKey);
    this.isConfirming = false;
    this.input = null;
    const confirm = async () => {
      if (known) this.email = known;
      else this.#readEmail();
      const isHere = this.here(), result = await this.way.confirmLink(this.email, location.href);
      this.#forgetLink();
      if (isHere()) this.#finish(result);
    };
    const address = known ? [this.detail(ltr(known))] : this.#emailField('go');
    const form = this.form(confirm, this.heading(this.#title, 'title'), ...address, this.errorLine(),
      this.primary(texts.title), this.link(texts.startOver, () => {
        this.#forgetLink();
        this.#showLink(false);
      }), make('slot', { name: 'terms' }));
    this.show('opened-link', form, this.hasAttribute('autofocus') ? this.input : null);
  }

  // --- Second factors

  #showFactors(focuses = false, asks = false) {
    this.leave();
    const { texts, factors } = this;
    this.isConfirming = false;
    this.session = this.factor = null;
    this.#keep();
    if (factors.list.length === 1 && !factors.list[0].number && !asks) return this.#showApp(factors.list[0], focuses);
    const choice = (text, name, click) => make('button', { type: 'button', class: 'choice', part: 'choice', click },
      make('span', {}, ...text), name ? make('small', {}, name) : null);
    const form = this.form(() => {}, this.heading(texts.factorTitle),
      this.detail(texts.factorChoice),
      make('div', { class: 'choices' },
        ...factors.list.map((factor) => (factor.number
          ? choice(filled(texts.factorPhone, { number: ltr(this.#masked(factor)) }), factor.name,
            () => this.act(() => this.#sendFactorCode(factor)))
          : choice([texts.factorApp], factor.name, () => this.#showApp(factor, true)))),
        choice([texts.recovery], '', () => this.#showApp(factors.list[0], true, true))),
      this.errorLine(), make('slot', { name: 'challenge' }), this.link(texts.startOver, () => this.#startOver()));
    this.input = null;
    this.show('factors', form, focuses ? form.querySelector('.title') : null);
  }

  #masked({ number }) {
    return '•••• ' + number.slice(-4);
  }

  async #sendFactorCode(factor) {
    const isHere = this.here();
    const sent = await this.way.sendFactorCode(this.factors, factor, this.#proof(), this.language);
    if (!isHere()) return;
    this.factor = factor;
    this.#beginSession(sent, { shown: this.#masked(factor) });
    this.#showCode(true);
  }

  #showApp(factor, focuses, isRecovery = false) {
    this.leave();
    const { texts } = this;
    this.isConfirming = true;
    this.refused = null;
    this.factor = factor;
    this.session = null;
    const recovery = { type: 'text', autocomplete: 'off', autocapitalize: 'characters' };
    const app = {
      type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', class: 'input code',
      input: () => this.#typeCode(),
    };
    const field = this.field('code', isRecovery ? texts.recovery : texts.code, {
      dir: 'ltr', spellcheck: 'false', enterkeyhint: 'done', 'aria-describedby': 'detail error',
      ...(isRecovery ? recovery : app),
    });
    const confirmRecovery = () => this.#confirm(
      (code) => this.way.confirmFactor(this.factors, factor, null, code), null);
    const form = this.form(isRecovery ? confirmRecovery : () => this.#confirmCode(),
      this.heading(texts.factorTitle), this.detail(isRecovery ? texts.recoveryDetail : texts.appDetail), ...field,
      this.errorLine(), this.primary(texts.verify),
      this.link(texts.otherWay, () => this.#showFactors(true, true)),
      this.link(texts.startOver, () => this.#startOver()));
    this.show(isRecovery ? 'recovery' : 'app', form, focuses ? this.input : null);
  }

  #startOver() {
    this.leave();
    this.drafts.remove(this.#draftKey);
    this.factors = this.factor = this.session = null;
    if (this.hasNumbers) this.#showNumber(true);
    else this.#showPassword(true);
  }

  // --- Signed in

  #finish({ tokens, user, isNewUser, factors }) {
    if (factors) {
      this.leave();
      this.factors = factors;
      this.#showFactors(true);
      return;
    }
    const { before } = this, isSame = before && before.uid === (tokens ? uidOf(tokens) : user.uid);
    if (before && before.purpose === 'reauthenticate' && !isSame) throw new Refusal('OTHER_ACCOUNT');
    this.leave();
    this.drafts.remove(this.#draftKey);
    this.number = '';
    if (tokens) {
      const kept = received(tokens);
      this.users.set(this.userKey, kept);
      user = this.userWith(kept);
    }
    this.current = user;
    if (user.isAnonymous) this.showNext();
    else this.#showDone(true);
    this.tell('dialtone-signed-in', {
      user, operation: isSame ? before.purpose : 'signIn', isNewUser, isRestored: false,
      replacedUser: before && before.isAnonymous && !isSame ? before.user : null,
    });
  }

  #showDone(focuses) {
    this.leave();
    const { texts } = this;
    const { phoneNumber, email } = this.current, { number, shown } = this.session || {};
    this.error = this.input = null;
    const tick = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    tick.setAttribute('viewBox', '0 0 48 48');
    tick.setAttribute('aria-hidden', 'true');
    tick.setAttribute('class', 'tick');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', 'm14 24.5 7 7 13-14');
    tick.append(path);
    const heading = this.heading(texts.doneTitle);
    const step = make('div', { class: 'step done' }, make('slot', { name: 'signed-in' }, tick, heading,
      this.detail(ltr(phoneNumber && phoneNumber === number ? shown : phoneNumber || email || '')),
      make('button', { type: 'button', class: 'secondary', part: 'button', click: () => this.signOut() },
        texts.signOut)));
    this.show('done', step, focuses ? heading : null);
  }

  forget() {
    this.email = '';
    if (this.drafts) this.drafts.remove(this.#draftKey);
    super.forget();
  }
}

if (!customElements.get('dialtone-sign-in')) customElements.define('dialtone-sign-in', DialtoneSignIn);
