// Refusals, of the server and of the official SDK.

/** The codes of refusals by the name of their text: the server's codes, those of the SDK itself, and our own. */
const CODES_BY_TEXT = {
  networkFailed: 'NETWORK', tooShort: 'TOO_SHORT', tooLong: 'TOO_LONG', regionNotAllowed: 'REGION',
  invalidNumber: 'INVALID_PHONE_NUMBER MALFORMED UNKNOWN_CALLING_CODE',
  missing: 'MISSING MISSING_CODE MISSING_EMAIL MISSING_PASSWORD MISSING_PHONE_NUMBER', codeIncomplete: 'LENGTH',
  notAllowed: 'OPERATION_NOT_ALLOWED PASSWORD_LOGIN_DISABLED ADMIN_ONLY_OPERATION UNSUPPORTED_TENANT_OPERATION '
    + 'UNAUTHORIZED_DOMAIN INVALID_CONTINUE_URI',
  checkFailed: 'CAPTCHA_CHECK_FAILED MISSING_APP_CREDENTIAL INVALID_APP_CREDENTIAL',
  tooManyRequests: 'TOO_MANY_ATTEMPTS_TRY_LATER QUOTA_EXCEEDED', secondFactorUser: 'UNSUPPORTED_FIRST_FACTOR',
  disabled: 'USER_DISABLED', wrongCode: 'INVALID_CODE', codeExpired: 'SESSION_EXPIRED INVALID_SESSION_INFO',
  wrongPassword: 'INVALID_LOGIN_CREDENTIALS INVALID_PASSWORD EMAIL_NOT_FOUND', invalidEmail: 'INVALID_EMAIL',
  signInAgain: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN TOKEN_EXPIRED INVALID_ID_TOKEN MISSING_ID_TOKEN INVALID_REFRESH_TOKEN '
    + 'MISSING_REFRESH_TOKEN USER_SIGNED_OUT NULL_USER',
  refused: 'BLOCKING_FUNCTION_ERROR_RESPONSE LOGIN_BLOCKED', numberTaken: 'PHONE_NUMBER_EXISTS',
  startAgain: 'USER_NOT_FOUND INVALID_MFA_PENDING_CREDENTIAL MISSING_MFA_PENDING_CREDENTIAL MISSING_CREDENTIAL '
    + 'MFA_ENROLLMENT_NOT_FOUND MISSING_MFA_ENROLLMENT_ID MISSING_SESSION_INFO INVALID_TEMPORARY_PROOF '
    + 'SESSION_NOT_FOUND MISSING_SESSION_ID',
  otherAccount: 'OTHER_ACCOUNT', factorExists: 'SECOND_FACTOR_EXISTS', factorLimit: 'SECOND_FACTOR_LIMIT_EXCEEDED',
  linkExpired: 'INVALID_OOB_CODE EXPIRED_OOB_CODE', emailTaken: 'EMAIL_EXISTS',
  unverifiedEmail: 'UNVERIFIED_EMAIL', serverFailed: 'SERVER ABORTED INVALID_ARGUMENT',
};

const TEXT_OF_CODE = Object.fromEntries(Object.entries(CODES_BY_TEXT).flatMap(
  ([text, codes]) => codes.split(' ').map((code) => [code, text])));

/** The SDK's codes that are not just the server's codes in lowercase. */
const SDK_CODES = {
  'invalid-verification-code': 'INVALID_CODE', 'code-expired': 'SESSION_EXPIRED',
  'invalid-verification-id': 'INVALID_SESSION_INFO', 'too-many-requests': 'TOO_MANY_ATTEMPTS_TRY_LATER',
  'network-request-failed': 'NETWORK', timeout: 'NETWORK', 'invalid-credential': 'INVALID_LOGIN_CREDENTIALS',
  'wrong-password': 'INVALID_PASSWORD', 'user-not-found': 'EMAIL_NOT_FOUND',
  'invalid-multi-factor-session': 'INVALID_MFA_PENDING_CREDENTIAL',
  'requires-recent-login': 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'credential-already-in-use': 'PHONE_NUMBER_EXISTS',
  'account-exists-with-different-credential': 'PHONE_NUMBER_EXISTS', 'user-mismatch': 'OTHER_ACCOUNT',
  'user-token-expired': 'TOKEN_EXPIRED', 'invalid-user-token': 'INVALID_ID_TOKEN',
  'second-factor-already-in-use': 'SECOND_FACTOR_EXISTS', 'multi-factor-info-not-found': 'MFA_ENROLLMENT_NOT_FOUND',
  'maximum-second-factor-count-exceeded': 'SECOND_FACTOR_LIMIT_EXCEEDED',
  'admin-restricted-operation': 'ADMIN_ONLY_OPERATION', 'invalid-action-code': 'INVALID_OOB_CODE',
  'expired-action-code': 'EXPIRED_OOB_CODE', 'email-already-in-use': 'EMAIL_EXISTS',
  'unauthorized-continue-uri': 'UNAUTHORIZED_DOMAIN',
};

/** Returns the refusal that an error is, whichever way it came. */
function refusalOf(error) {
  if (error instanceof Refusal) return error;
  const { code = '', message = '' } = error || {}, name = String(code).replace(/^auth\//, '');
  // The SDK's message has the server's explanation.
  const detail = String(message).replace(/^Firebase: (.*) \(auth\/[^)]*\)\.?$/s, '$1');
  // The SDK has one code for a denial by a hook and for faults of the server.
  const known = /^\(\(HTTP request to .* returned HTTP error/.test(detail) && name === 'internal-error'
    ? 'BLOCKING_FUNCTION_ERROR_RESPONSE' : SDK_CODES[name] || name.toUpperCase().replace(/-/g, '_');
  return new Refusal(TEXT_OF_CODE[known] ? known : 'SERVER', { detail });
}
