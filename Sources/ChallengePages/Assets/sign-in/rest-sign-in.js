// Sign-in by the REST interface. `SdkSignIn` has the same methods.

// For messages of an SDK, which does not pass on the server's own wait.
const RESEND_AFTER_S = 60;
const CLIENT = { clientType: 'CLIENT_TYPE_WEB' };

/** Returns the session of a sent message, the seconds until another one can be sent, and by which channels. */
function sentMessage({ sessionInfo, resendAfter, channels }) {
  return { info: sessionInfo, wait: Number(resendAfter) || RESEND_AFTER_S, channels: channels || [] };
}

class RestSignIn {
  constructor(server) {
    this.server = server;
    this.hasPasswords = this.hasResets = this.hasLinks = true;
  }

  async sendEnrollmentCode(user, phoneNumber, verifier, language, channel) {
    const answer = await this.server.call('/v2/accounts/mfaEnrollment:start', {
      idToken: await user.getIdToken(),
      phoneEnrollmentInfo: { phoneNumber, recaptchaToken: await verifier.verify(), channel, ...CLIENT },
    }, { language });
    return sentMessage(answer.phoneSessionInfo);
  }

  async confirmCode(session, code, purpose, user) {
    const path = '/v1/accounts:signInWithPhoneNumber';
    const idToken = purpose === 'link' || purpose === 'enroll' ? await user.getIdToken() : undefined;
    if (purpose === 'enroll') {
      const body = { idToken, phoneVerificationInfo: { sessionInfo: session, code } };
      return this.#finish(await this.server.complete('/v2/accounts/mfaEnrollment:finalize', body));
    }
    const operation = { link: 'LINK', reauthenticate: 'REAUTH' }[purpose];
    const body = { sessionInfo: session, code, idToken, operation };
    const answer = await this.server.complete(path, body).catch((refusal) => {
      // The number has no account, so it is not the user's.
      if (purpose === 'reauthenticate' && refusal.code === 'USER_NOT_FOUND') refusal.code = 'OTHER_ACCOUNT';
      throw refusal;
    });
    if (!answer.temporaryProof) return this.#finish(answer);
    if (!user.isAnonymous) throw new Refusal('PHONE_NUMBER_EXISTS');
    // The number has an account, which replaces the anonymous one.
    const { phoneNumber, temporaryProof } = answer;
    return this.#finish(await this.server.complete(path, { phoneNumber, temporaryProof }));
  }

  async confirmPassword(email, password) {
    const body = { email, password, returnSecureToken: true, ...CLIENT };
    return this.#finish(await this.server.complete('/v1/accounts:signInWithPassword', body), email);
  }

  sendPasswordReset(email, language) {
    const body = { requestType: 'PASSWORD_RESET', email, ...CLIENT };
    return this.server.call('/v1/accounts:sendOobCode', body, { language });
  }

  sendSignInLink(email, continueUrl, language) {
    const body = { requestType: 'EMAIL_SIGNIN', email, continueUrl, canHandleCodeInApp: true, ...CLIENT };
    return this.server.call('/v1/accounts:sendOobCode', body, { language });
  }

  async confirmLink(email, link) {
    const body = { email, oobCode: new URL(link).searchParams.get('oobCode'), ...CLIENT };
    return this.#finish(await this.server.complete('/v1/accounts:signInWithEmailLink', body), email);
  }

  async signInAnonymously() {
    const answer = await this.server.complete('/v1/accounts:signUp', { returnSecureToken: true, ...CLIENT });
    return this.#finish({ ...answer, isNewUser: true });
  }

  async sendFactorCode(factors, factor, verifier, language, channel) {
    const answer = await this.server.call('/v2/accounts/mfaSignIn:start', {
      mfaPendingCredential: factors.credential, mfaEnrollmentId: factor.id,
      phoneSignInInfo: { recaptchaToken: await verifier.verify(), channel, ...CLIENT },
    }, { language });
    return sentMessage(answer.phoneResponseInfo);
  }

  async confirmFactor(factors, factor, session, code) {
    const proof = session ? { phoneVerificationInfo: { sessionInfo: session, code } }
      : { mfaEnrollmentId: factor.id, totpVerificationInfo: { verificationCode: code } };
    const body = { mfaPendingCredential: factors.credential, ...proof };
    return this.#finish(await this.server.complete('/v2/accounts/mfaSignIn:finalize', body));
  }

  #finish(answer, email) {
    if (!answer.mfaPendingCredential) return { tokens: answer, isNewUser: Boolean(answer.isNewUser) };
    const list = answer.mfaInfo.map((info) => ({
      id: info.mfaEnrollmentId, name: info.displayName || '', number: info.phoneInfo || '',
    }));
    return { factors: { credential: answer.mfaPendingCredential, list, email } };
  }
}
