// <dialtone-account>: shows signed-in users who they are, where they are signed in and their second factors, and lets
// them change these, sign out, and delete the account.
//
//   <script type="module" src="https://auth.example.com/__/auth/account.js"></script>
//   <dialtone-account api-key="…"></dialtone-account>
//
// A <dialtone-sign-in> in a slot asks for numbers and passwords. This module imports what the components share from the
// sign-in module. It is built from qr-code.js, this file and the constant ACCOUNT, which has the style sheet, and
// titles in case the server cannot be reached.

/** The parts of a client's name that the list of sessions shows. Clients choose the name, so other text is hidden. */
const KNOWN_CLIENTS = new Set([...BROWSERS, ...SYSTEMS].map(([name]) => name));
// The parts of a URI of at most 412 bytes, the capacity of our QR codes.
const ISSUER_BYTES = 60;
const ACCOUNT_BYTES = 150;
const SIGN_OUT_LIMIT_MS = 2000;
/** The steps that show the key of an authenticator app, or recovery codes. */
const SECRET_STEPS = ['app', 'codes'];

// --- Two ways to change an account: the REST interface, and the official SDK, which must learn of new tokens

class RestAccount {
  constructor(component, call) {
    this.component = component;
    this.call = call;
    this.hasLinks = true;
  }

  async removeFactor(id) {
    this.#keep(await this.call('/v2/accounts/mfaEnrollment:withdraw', { mfaEnrollmentId: id }));
  }

  async startApp() {
    const answer = await this.call('/v2/accounts/mfaEnrollment:start', { totpEnrollmentInfo: {} });
    const { sharedSecretKey: secret, verificationCodeLength: length, hashingAlgorithm: algorithm, periodSec: period,
      sessionInfo } = answer.totpSessionInfo;
    return { secret, length, algorithm, period, sessionInfo };
  }

  async finishApp({ sessionInfo }, code) {
    const totpVerificationInfo = { sessionInfo, verificationCode: code };
    this.#keep(await this.call('/v2/accounts/mfaEnrollment:finalize', { totpVerificationInfo }));
  }

  async deleteAccount() {
    await this.call('/v1/accounts:delete');
  }

  sendVerification() {
    return this.call('/v1/accounts:sendOobCode', { requestType: 'VERIFY_EMAIL' });
  }

  changeEmail(newEmail) {
    return this.call('/v1/accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', newEmail });
  }

  async addEmail(email) {
    this.#keep(await this.call('/v1/accounts:update', { email, returnSecureToken: true }));
  }

  /** Keeps the tokens that replace all earlier ones, which are revoked. */
  #keep(tokens) {
    this.component.users.set(this.component.userKey, received(tokens));
  }
}

class SdkAccount {
  constructor(component) {
    this.component = component;
    const { sendEmailVerification, updateEmail, verifyBeforeUpdateEmail } = component.sdk;
    this.hasLinks = Boolean(sendEmailVerification && updateEmail && verifyBeforeUpdateEmail);
  }

  get #factors() { return this.component.sdk.multiFactor(this.component.user); }

  removeFactor(id) {
    return this.#factors.unenroll(id);
  }

  async startApp() {
    const secret = await this.component.sdk.TotpMultiFactorGenerator.generateSecret(await this.#factors.getSession());
    return {
      secret: secret.secretKey, length: secret.codeLength, algorithm: secret.hashingAlgorithm,
      period: secret.codeIntervalSeconds, ofSDK: secret,
    };
  }

  finishApp({ ofSDK }, code) {
    return this.#factors.enroll(this.component.sdk.TotpMultiFactorGenerator.assertionForEnrollment(ofSDK, code));
  }

  deleteAccount() {
    return this.component.sdk.deleteUser(this.component.user);
  }

  sendVerification() {
    return this.component.sdk.sendEmailVerification(this.component.user);
  }

  changeEmail(email) {
    return this.component.sdk.verifyBeforeUpdateEmail(this.component.user, email);
  }

  addEmail(email) {
    return this.component.sdk.updateEmail(this.component.user, email);
  }
}

/** Percent-encodes a text, truncated to `limit` bytes. */
function escaped(text, limit) {
  let escaped = '';
  for (const character of text.replace(/\p{Cs}/gu, '')) {
    const next = escaped + encodeURIComponent(character);
    if (next.length > limit) break;
    escaped = next;
  }
  return escaped;
}

/** Returns the `otpauth:` URI that authenticator apps import. */
function keyURI({ secret, length, algorithm, period }, issuerName, accountName) {
  const issuer = escaped(issuerName, ISSUER_BYTES), account = escaped(accountName, ACCOUNT_BYTES);
  return 'otpauth://totp/' + [issuer, account].filter(Boolean).join(':') + '?secret=' + secret + '&issuer=' + issuer
    + '&algorithm=' + algorithm + '&digits=' + length + '&period=' + period;
}

function sessionOf(idToken) { return claimsOf(idToken).firebase.session_id; }

/** Waits for a removal, which also succeeds if the item was already removed elsewhere. */
async function unlessGone(code, removal) {
  try {
    await removal;
  } catch (error) {
    if (refusalOf(error).code !== code) throw error;
  }
}

// --- The component

class DialtoneAccount extends DialtoneElement {
  #farewell = null;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(ACCOUNT.style);
    this.shadowRoot.adoptedStyleSheets.push(sheet);
  }

  connectedCallback() {
    super.connectedCallback();
    this.listeners.pagehide = () => this.#hideSecrets();
    window.addEventListener('pagehide', this.listeners.pagehide);
  }

  get page() { return '&page=account'; }

  offlineTitle(language) { return ACCOUNT.titles[language]; }

  begin() {
    this.way = this.auth && this.sdk ? new SdkAccount(this)
      : new RestAccount(this, (path, body) => this.#call(path, body));
  }

  get words() {
    return { ...super.words, SESSION_EXPIRED: 'startAgain', INVALID_SESSION_INFO: 'startAgain' };
  }

  /** Scrolls to the error, which may be far above the button that caused it. */
  showError(text, reference) {
    super.showError(text, reference);
    if (text && this.error && !this.input) this.error.scrollIntoView({ block: 'nearest' });
  }

  leave() {
    super.leave();
    this.isConfirming = false;
    for (const nested of this.querySelectorAll('[slot=sign-in]')) nested.remove();
  }

  isActing() {
    const nested = this.querySelector('[slot=sign-in]');
    return super.isActing() || Boolean(nested && nested.action);
  }

  showNext() {
    const hasSignedIn = this.dataset.step === 'sign-in';
    // Without the server's texts, no step can be shown.
    if (!this.texts) this.restart();
    else if (!this.current || this.current.isAnonymous) this.#showSignIn();
    else this.#run(() => this.#read(), (account) => this.#showAccount(account, '', hasSignedIn), true);
  }

  forget() {
    // If the user did not sign out here, the notice says why the form is shown.
    const notice = this.#farewell === null ? this.texts && this.texts.sessionOver : this.#farewell;
    this.#farewell = null;
    this.notice = notice;
    super.forget();
  }

  /** Clears secrets from a page that the user leaves: the browser may keep it, and show it to the next user. */
  #hideSecrets() {
    // An action may end with a secret, which is not shown if its step is gone.
    if (!this.action && !SECRET_STEPS.includes(this.dataset.step)) return;
    this.leave();
    this.input = this.error = null;
    this.show('loading', make('div', { class: 'step' }));
    window.addEventListener('pageshow', () => this.restart(), { once: true });
  }

  /** Ends the session, here and on the server if it can be reached. */
  async signOut() {
    const ended = this.#endSession(this.current).catch(() => { /* It expires when idle. */ });
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, SIGN_OUT_LIMIT_MS))]);
    this.#farewell = '';
    await super.signOut();
  }

  // --- Requests

  async checkSession({ code }) {
    this.#farewell = code === 'USER_DISABLED' ? this.texts.disabled : null;
    await super.checkSession();
    this.#farewell = null;
  }

  /** Sends a request for the user. A revoked token is replaced once. */
  async #call(path, body = {}) {
    const user = this.current;
    const send = async () => this.server.call(
      path, { ...body, idToken: await user.getIdToken() }, { language: this.language });
    try {
      return await send();
    } catch (refusal) {
      if (!REVOKED.test(refusal.code)) throw refusal;
      await this.checkSession(refusal);
      return send();
    }
  }

  /** Ends the session of a user's tokens. */
  async #endSession(user) {
    if (!user) return;
    const idToken = await user.getIdToken();
    await this.server.call('/v2/accounts/sessions:end', { idToken, sessionId: sessionOf(idToken) });
  }

  async #read() {
    const [{ users: [profile] }, { sessions }] = await Promise.all([
      this.#call('/v1/accounts:lookup'), this.#call('/v2/accounts/sessions:list'),
    ]);
    let number = profile.phoneNumber || '';
    if (number) {
      // A number that cannot be formatted is shown unchanged.
      const parsed = await this.server.call('/v2/parsePhoneNumber', { phoneNumber: number }).catch(() => ({}));
      number = parsed.internationalFormat || number;
    }
    const { sign_in_provider: provider } = claimsOf(await this.current.getIdToken()).firebase;
    return { profile, sessions, number, factors: profile.mfaInfo || [], provider };
  }

  /** Returns whether the server will soon require a new sign-in, so that no one types a number in vain. */
  async #isOld() {
    const { auth_time: signedIn } = claimsOf(await this.current.getIdToken());
    return Math.abs(Date.now() / 1000 - signedIn) > this.configuration.recentSignInSeconds / 2;
  }

  // --- Actions

  /**
   * Returns an action that shows the next step once it is done. If it needs a more recent sign-in, the user first
   * confirms who they are.
   */
  #confirmed(action, done) {
    return async () => {
      const isHere = this.here();
      let result;
      try {
        result = await action();
      } catch (error) {
        if (!isHere() || refusalOf(error).code !== 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN') throw error;
        return this.#showConfirmation(() => this.#run(action, done));
      }
      if (isHere()) await done(result);
    };
  }

  /** Runs an action in its own step, from which the user can try again or, unless it is the first one, go back. */
  #run(action, done, isFirst = false) {
    const { texts } = this;
    this.leave();
    const ways = make('div', { class: 'ways', hidden: true }, make('button', {
      type: 'button', class: 'secondary', part: 'button', click: () => this.act(whole),
    }, texts.tryAgain), isFirst ? null : this.#back());
    const whole = this.#confirmed(async () => {
      ways.hidden = true;
      try {
        return await action();
      } catch (error) {
        ways.hidden = false;
        throw error;
      }
    }, done);
    this.input = null;
    const heading = this.heading(texts.accountTitle, 'title');
    this.show('loading', make('div', { class: 'step' }, heading, this.errorLine(), ways));
    return this.act(whole);
  }

  /** Ends an action that has succeeded. Rereading the account is a separate action, which may fail by itself. */
  #reopen(notice) {
    const show = (account) => this.#showAccount(account, notice, true);
    this.leave();
    // Meanwhile, what is shown stays in place.
    if (this.dataset.step === 'account') this.act(this.#confirmed(() => this.#read(), show));
    else this.#run(() => this.#read(), show);
  }

  #back() {
    return this.link(this.texts.cancel, () => this.#reopen(''));
  }

  #noticeLine(text) {
    return make('p', { class: 'notice', part: 'notice', role: 'status', tabindex: '-1', hidden: !text }, text);
  }

  #button(text, click, attributes = {}) {
    return make('button', { type: 'button', class: 'small', part: 'button', click, ...attributes }, text);
  }

  // --- Steps with a <dialtone-sign-in>

  /** Shows the other component. Its events are also this one's, unless they are about a user who is already known. */
  #showNested(name, mode, isAsked, signedIn, refused = () => {}) {
    this.leave();
    const nested = make('dialtone-sign-in', {
      slot: 'sign-in', mode, lang: this.language,
      // The focus, if it was here, moves to the new step.
      autofocus: isAsked || Boolean(this.shadowRoot.activeElement),
      'dialtone-signed-in': (event) => {
        if (event.detail.isRestored) return event.stopPropagation();
        signedIn(event.detail);
      },
      'dialtone-refused': refused,
    });
    for (const name of ['url', 'persistence', 'theme', 'heading-level', 'api-key']) {
      if (this.hasAttribute(name)) nested.setAttribute(name, this.getAttribute(name));
    }
    nested.nonce = this.nonce;
    if (this.auth) Object.assign(nested, { auth: this.auth, sdk: this.sdk });
    this.input = this.error = null;
    const notice = this.#noticeLine(this.notice || '');
    this.notice = '';
    const step = make('div', { class: 'step' }, notice, make('slot', { name: 'sign-in' }), mode ? this.#back() : null);
    this.show(name, step, notice.hidden ? null : notice);
    this.append(nested);
  }

  #showSignIn() {
    this.#showNested('sign-in', null, this.hasAttribute('autofocus'), ({ user }) => {
      this.current = this.auth ? user : this.userWith(this.users.get(this.userKey));
      this.showNext();
    });
  }

  /** Reauthenticates the user, then continues. The previous session ends, because there is a new one. */
  async #showConfirmation(next) {
    const isHere = this.here(), before = sessionOf(await this.current.getIdToken());
    if (!isHere()) return;
    this.#showNested('confirm', 'reauthenticate', true, () => {
      this.#endEarlier(before).catch(() => { /* It stays listed, and expires when idle. */ });
      next();
    });
  }

  async #endEarlier(sessionId) {
    const idToken = await this.current.getIdToken();
    if (sessionOf(idToken) === sessionId) return;
    await this.server.call('/v2/accounts/sessions:end', { idToken, sessionId });
  }

  async #showPhone(isConfirmed = false) {
    const isHere = this.here(), begin = () => this.#showPhone(true);
    if (!isConfirmed && await this.#isOld()) return isHere() && this.#showConfirmation(begin);
    if (!isHere()) return;
    this.#showNested('phone', 'enroll', true, () => this.#factorAdded(), (event) => {
      if (event.detail.code !== 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN') return;
      event.preventDefault();
      this.act(() => this.#showConfirmation(begin));
    });
  }

  // --- The account

  #showAccount(account, notice, focuses) {
    this.leave();
    this.account = account;
    const { texts } = this, { profile, sessions, number } = account;
    this.input = null;
    const line = this.#noticeLine(notice);
    const who = [[texts.name, profile.displayName], [texts.number, number && ltr(number)],
      [texts.email, profile.email && ltr(profile.email)]].filter(([, value]) => value);
    const heading = this.heading(texts.accountTitle, 'title');
    const step = make('div', { class: 'step' }, heading, line,
      make('dl', { class: 'who' }, ...who.map(([name, value]) => make('div', {}, make('dt', {}, name),
        make('dd', {}, make('bdi', {}, value))))),
      this.way.hasLinks ? this.#button(profile.email ? texts.changeEmail : texts.addEmail,
        () => this.#showEmail(profile.email)) : null,
      this.errorLine(), ...this.#factorSection(account), ...this.#section('sessions', texts.sessions,
        make('ul', { class: 'items' }, ...sessions.map((session, index) => this.#sessionItem(session, index))),
        sessions.length > 1 ? this.#button(texts.signOutEverywhere, () => this.#showEverywhere()) : null),
      make('button', {
        type: 'button', class: 'secondary', part: 'button', click: () => this.act(() => this.signOut()),
      }, texts.signOut),
      make('button', {
        type: 'button', class: 'link final', part: 'link', click: () => this.#showDeletion(),
      }, texts.deleteAccount));
    this.show('account', step, focuses ? notice ? line : heading.querySelector('.title') : null);
  }

  #section(id, title, ...content) {
    const level = Math.min(6, Number(this.getAttribute('heading-level') || 2) + 1 || 3);
    return [make('section', { 'aria-labelledby': id, part: 'section' },
      make('h' + level, { class: 'subtitle', id, part: 'subtitle' }, title), ...content)];
  }

  #date(text) {
    const time = new Date(text);
    if (isNaN(time)) return text;
    const format = new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeStyle: 'short' });
    return make('time', { datetime: time.toISOString() }, format.format(time));
  }

  #item(id, name, lines, button) {
    return make('li', { class: 'item' },
      make('div', {}, make('span', { class: 'name', id }, make('bdi', {}, ...name)),
        ...lines.filter(Boolean).map((line) => make('small', {}, ...line))), button);
  }

  #sessionItem(session, index) {
    const { texts } = this, id = 'session-' + index;
    const known = String(session.lastUsedClientVersion || session.clientVersion || '').split('/').slice(0, 2)
      .filter((part) => KNOWN_CLIENTS.has(part));
    const end = this.#button(texts.endSession, () => this.act(this.#confirmed(
      () => unlessGone('SESSION_NOT_FOUND', this.#call('/v2/accounts/sessions:end', { sessionId: session.sessionId })),
      () => this.#reopen(texts.sessionEnded),
    )), { id: 'end-' + index, 'aria-labelledby': 'end-' + index + ' ' + id });
    return this.#item(id, [known.join(' · ') || texts.unknownDevice], [
      session.isCurrent && [make('b', {}, texts.thisSession)],
      filled(texts.signedInAt, { time: this.#date(session.signedInAt) }),
      filled(texts.usedAt, { time: this.#date(session.lastUsedAt) }),
      session.isUsedFromOtherNetwork && [texts.otherNetwork],
    ], session.isCurrent ? null : end);
  }

  /** Users who signed in by phone cannot have second factors: a message would be both factors. */
  #factorSection({ profile, factors, provider }) {
    const { texts } = this, { secondFactors } = this.configuration;
    const mayAdd = provider !== 'phone' && secondFactors.length > 0;
    if (!mayAdd && !factors.length) return [];
    const needsEmail = profile.email && !profile.emailVerified;
    const items = factors.map((factor, index) => {
      const id = 'factor-' + index, name = this.#factorName(factor);
      const remove = this.#button(texts.remove, () => this.#showRemoval(factor),
        { id: 'remove-' + index, 'aria-labelledby': 'remove-' + index + ' ' + id });
      return this.#item(id, name, [factor.displayName && [make('bdi', {}, factor.displayName)],
        filled(texts.addedAt, { time: this.#date(factor.enrolledAt) })], remove);
    });
    const has = (kind) => mayAdd && !needsEmail && secondFactors.includes(kind);
    const buttons = [
      needsEmail && this.way.hasLinks && this.#button(texts.sendLink, () => this.act(this.#confirmed(
        () => this.way.sendVerification(), () => this.#showSent(profile.email)))),
      has('totp') && this.#button(texts.addApp, () => this.act(this.#confirmed(
        () => this.way.startApp(), (enrollment) => this.#showApp(enrollment)))),
      has('sms') && this.#button(texts.addPhone, () => this.act(() => this.#showPhone())),
      factors.length > 0 && this.#button(texts.newCodes, () => this.#showNewCodes()),
    ].filter(Boolean);
    return this.#section('factors', texts.secondSteps,
      make('p', { class: 'detail', part: 'detail' },
        needsEmail ? texts.unverifiedEmail : factors.length ? texts.secondStepsDetail : texts.noSecondStep),
      factors.length ? make('ul', { class: 'items' }, ...items) : null,
      buttons.length ? make('div', { class: 'buttons' }, ...buttons) : null);
  }

  #factorName({ phoneInfo }) {
    const { texts } = this;
    return phoneInfo ? filled(texts.factorPhone, { number: ltr('•••• ' + phoneInfo.slice(-4)) }) : [texts.factorApp];
  }

  // --- The e-mail address

  #showEmail(current) {
    this.leave();
    const { texts } = this;
    const [label, input] = this.field('email', texts.email, {
      type: 'email', inputmode: 'email', autocomplete: 'email', dir: 'ltr', autocapitalize: 'off', spellcheck: 'false',
      enterkeyhint: 'send',
    });
    const send = this.#confirmed(async () => {
      const email = input.value.trim();
      if (!email) throw new Refusal('MISSING');
      if (current) {
        await this.way.changeEmail(email);
      } else {
        await this.way.addEmail(email);
        await this.way.sendVerification();
      }
      return email;
    }, (email) => this.#showSent(email));
    const heading = this.heading(current ? texts.changeEmail : texts.addEmail);
    this.show('email', this.form(send, heading, label, input, this.errorLine(), this.primary(texts.sendLink),
      this.#back()), input);
  }

  /** Waits until the user has opened the link, maybe on another device. */
  #showSent(email) {
    this.leave();
    this.input = null;
    const { texts } = this, heading = this.heading(texts.verifyEmail);
    const check = this.#confirmed(async () => {
      await this.current.getIdToken(true);
      const account = await this.#read(), { email: shown = '', emailVerified } = account.profile;
      if (!emailVerified || shown !== email.toLowerCase()) throw new Refusal('UNVERIFIED_EMAIL');
      return account;
    }, (account) => this.#showAccount(account, texts.emailConfirmed, true));
    this.show('link-sent', this.form(check, heading, this.detail(...filled(texts.linkSent, { email: ltr(email) })),
      this.errorLine(), this.primary(texts.linkOpened), this.#back()), heading);
  }

  // --- Questions before an action

  #showQuestion(name, title, detail, button, action, done, isFinal = true) {
    this.leave();
    this.input = null;
    const primary = this.primary(button), heading = this.heading(title);
    primary.classList.toggle('danger', isFinal);
    this.show(name, this.form(this.#confirmed(action, done), heading, this.detail(...detail), this.errorLine(), primary,
      this.#back()), heading);
  }

  #showEverywhere() {
    const { texts } = this;
    this.#showQuestion('everywhere', texts.signOutEverywhere, [texts.everywhereDetail], texts.signOutEverywhere,
      () => this.#call('/v1/accounts:update', { validSince: String(Math.floor(Date.now() / 1000)) }),
      async ({ idToken }) => {
        // The tokens in the response belong to a new session of this device, which no one uses.
        await this.server.call('/v2/accounts/sessions:end', { idToken, sessionId: sessionOf(idToken) }).catch(() => {});
        this.#forgetHere('');
      });
  }

  #showRemoval(factor) {
    const { texts } = this;
    const detail = [make('b', {}, ...this.#factorName(factor)), make('br'), texts.removeDetail];
    this.#showQuestion('remove', texts.removeTitle, detail, texts.remove,
      () => unlessGone('MFA_ENROLLMENT_NOT_FOUND', this.way.removeFactor(factor.mfaEnrollmentId)),
      () => this.#reopen(texts.factorRemoved));
  }

  #showNewCodes() {
    const { texts } = this;
    this.#showQuestion('new-codes', texts.newCodes, [texts.newCodesDetail], texts.newCodes,
      () => this.#makeCodes(), (answer) => this.#showCodes(answer), false);
  }

  #showDeletion() {
    const { texts } = this;
    this.#showQuestion('delete', texts.deleteTitle, [texts.deleteDetail], texts.deleteAccount,
      async () => {
        // The SDK signs its user out before it returns.
        this.#farewell = texts.deleted;
        try {
          await this.way.deleteAccount();
        } catch (error) {
          this.#farewell = null;
          throw error;
        }
        this.tell('dialtone-account-deleted', {});
      }, () => this.#forgetHere(texts.deleted));
  }

  /** Forgets a user whose session the server has already ended. */
  async #forgetHere(farewell) {
    this.#farewell = farewell;
    await super.signOut();
  }

  // --- An authenticator app

  #showApp(enrollment) {
    this.leave();
    const { texts } = this, { profile, number } = this.account;
    const issuer = this.getAttribute('app-name') || location.hostname;
    const rows = qrCode(keyURI(enrollment, issuer, profile.email || number || profile.displayName || ''));
    const confirm = this.#confirmed(async () => {
      if (!input.value) throw new Refusal('MISSING');
      if (input.value.length !== enrollment.length) throw new Refusal('LENGTH');
      refused = input.value;
      await this.way.finishApp(enrollment, input.value);
    }, () => this.#factorAdded());
    let refused = null;
    const [label, input] = this.field('code', texts.code, {
      type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', dir: 'ltr', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'done', class: 'input code', 'aria-describedby': 'detail error',
      input: () => {
        const code = codeIn(input.value, enrollment.length);
        if (input.value !== code) input.value = code;
        this.showError('');
        if (code.length === enrollment.length && code !== refused) this.act(confirm);
      },
    });
    this.isConfirming = true;
    const heading = this.heading(texts.addApp);
    const key = make('code', { class: 'key', dir: 'ltr' }, enrollment.secret.replace(/.{4}(?=.)/g, '$& '));
    this.show('app', this.form(confirm, heading, this.detail(texts.scan), this.#drawing(rows),
      make('p', { class: 'detail', part: 'detail' }, texts.keyDetail), ...this.#copied(key, enrollment.secret), label,
      input, this.errorLine(), this.primary(texts.verify), this.#back()), heading);
  }

  /** Draws a QR code: dark on light whatever the page's colors, with the border of four modules that readers need. */
  #drawing(rows) {
    const size = rows.length + 8;
    const element = (name, attributes, ...children) => {
      const made = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      made.append(...children);
      return made;
    };
    const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')));
    return element('svg', {
      class: 'qr', part: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': this.texts.qrCode,
      'shape-rendering': 'crispEdges',
    }, element('rect', { width: size, height: size, fill: '#fff' }),
    element('path', { d: path.join(''), fill: '#000' }));
  }

  /** Returns an element with a button that copies its text. */
  #copied(element, text) {
    const { texts } = this;
    const copy = this.#button(texts.copy, async () => {
      try {
        await navigator.clipboard.writeText(text);
        this.announce(texts.copied);
        copy.textContent = texts.copied;
      } catch (_) {
        // Without permission, or in an insecure context: the user copies what is selected.
        getSelection().selectAllChildren(element);
      }
    });
    return [element, copy];
  }

  // --- Recovery codes

  /** The first second factor comes with recovery codes: otherwise a lost phone would lock the user out. */
  #factorAdded() {
    if (!this.account.factors.length) this.#run(() => this.#makeCodes(), (answer) => this.#showCodes(answer));
    else this.#reopen(this.texts.factorAdded);
  }

  #makeCodes() { return this.#call('/v2/accounts/mfaRecoveryCodes:generate'); }

  #showCodes({ recoveryCodes }) {
    this.leave();
    const { texts } = this;
    this.input = this.error = null;
    const heading = this.heading(texts.codesTitle);
    const list = make('ul', { class: 'codes', dir: 'ltr' },
      ...recoveryCodes.map((code) => make('li', {}, make('code', {}, code))));
    this.show('codes', make('div', { class: 'step' }, heading, this.detail(texts.codesDetail),
      ...this.#copied(list, recoveryCodes.join('\n')), make('button', {
        type: 'button', class: 'primary', part: 'button', click: () => this.#reopen(''),
      }, texts.codesSaved)), heading);
  }
}

if (!customElements.get('dialtone-account')) customElements.define('dialtone-account', DialtoneAccount);
