// Sign-in by the official SDK. `RestSignIn` has the same methods.

class SdkSignIn {
  constructor(auth, sdk) {
    this.auth = auth;
    this.sdk = sdk;
    this.hasPasswords = Boolean(sdk.signInWithEmailAndPassword);
    this.hasResets = Boolean(sdk.sendPasswordResetEmail);
    this.hasLinks = Boolean(sdk.sendSignInLinkToEmail && sdk.signInWithEmailLink);
  }

  async confirmCode(session, code, purpose, user) {
    const { PhoneAuthProvider, reauthenticateWithCredential, signInWithCredential, updatePhoneNumber } = this.sdk;
    const credential = PhoneAuthProvider.credential(session, code);
    if (purpose === 'enroll') {
      await this.sdk.multiFactor(user).enroll(this.sdk.PhoneMultiFactorGenerator.assertion(credential));
      return { user, isNewUser: false };
    }
    if (purpose === 'reauthenticate') return this.#finish(reauthenticateWithCredential(user, credential));
    if (purpose !== 'link') return this.#finish(signInWithCredential(this.auth, credential));
    try {
      // Unlike linkWithCredential, it also replaces a number.
      await updatePhoneNumber(user, credential);
      return { user, isNewUser: false };
    } catch (error) {
      const other = refusalOf(error).code === 'PHONE_NUMBER_EXISTS' && user.isAnonymous
        && PhoneAuthProvider.credentialFromError(error);
      if (!other) throw error;
      return this.#finish(signInWithCredential(this.auth, other));
    }
  }

  signInAnonymously() {
    return this.#finish(this.sdk.signInAnonymously(this.auth));
  }

  confirmPassword(email, password, purpose, user) {
    const { EmailAuthProvider, reauthenticateWithCredential, signInWithEmailAndPassword } = this.sdk;
    return this.#finish(purpose === 'reauthenticate'
      ? reauthenticateWithCredential(user, EmailAuthProvider.credential(email, password))
      : signInWithEmailAndPassword(this.auth, email, password));
  }

  sendPasswordReset(email) {
    return this.sdk.sendPasswordResetEmail(this.auth, email);
  }

  sendSignInLink(email, url) {
    return this.sdk.sendSignInLinkToEmail(this.auth, email, { url, handleCodeInApp: true });
  }

  confirmLink(email, link) {
    return this.#finish(this.sdk.signInWithEmailLink(this.auth, email, link));
  }

  async sendFactorCode({ resolver }, factor, verifier) {
    return this.#send({ multiFactorHint: factor.hint, session: resolver.session }, verifier);
  }

  async sendEnrollmentCode(user, phoneNumber, verifier) {
    return this.#send({ phoneNumber, session: await this.sdk.multiFactor(user).getSession() }, verifier);
  }

  async #send(options, verifier) {
    const provider = new this.sdk.PhoneAuthProvider(this.auth);
    return sentMessage({ sessionInfo: await provider.verifyPhoneNumber(options, verifier) });
  }

  confirmFactor({ resolver }, factor, session, code) {
    const { PhoneAuthProvider, PhoneMultiFactorGenerator, TotpMultiFactorGenerator } = this.sdk;
    const assertion = session
      ? PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(session, code))
      : TotpMultiFactorGenerator.assertionForSignIn(factor.id, code);
    return this.#finish(resolver.resolveSignIn(assertion));
  }

  async #finish(request) {
    try {
      const credential = await request, { getAdditionalUserInfo } = this.sdk;
      const { isNewUser = false } = getAdditionalUserInfo && getAdditionalUserInfo(credential) || {};
      return { user: credential.user, isNewUser };
    } catch (error) {
      if (!error || error.code !== 'auth/multi-factor-auth-required' || !this.sdk.getMultiFactorResolver) throw error;
      const resolver = this.sdk.getMultiFactorResolver(this.auth, error);
      const list = resolver.hints.map((hint) => ({
        hint, id: hint.uid, name: hint.displayName || '', number: hint.phoneNumber || '',
      }));
      return { factors: { resolver, list } };
    }
  }
}
