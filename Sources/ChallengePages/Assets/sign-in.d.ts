import type { Auth, User } from 'firebase/auth';

/** A user who is signed in without the official SDK. */
export interface DialtoneUser {
  readonly uid: string;
  readonly phoneNumber: string | null;
  readonly email: string | null;
  readonly isAnonymous: boolean;
  /** Resolves to an ID token that is valid for a few minutes at least; refreshes it if necessary. */
  getIdToken(forceRefresh?: boolean): Promise<string>;
}

/** The detail of `dialtone-signed-in`. */
export interface SignedIn {
  /** The SDK's user if the component has an `auth`. */
  readonly user: DialtoneUser | User;
  /**
   * What was done: `link` added the number to the account of a signed-in user, who may be anonymous; `enroll` made it a
   * second factor.
   */
  readonly operation: 'signIn' | 'link' | 'reauthenticate' | 'enroll';
  readonly isNewUser: boolean;
  /** Whether the user was signed in before the page was loaded. */
  readonly isRestored: boolean;
  /** The anonymous user that this user replaces, because the number already has an account; null otherwise. */
  readonly replacedUser: DialtoneUser | User | null;
}

/** The detail of `dialtone-refused`. After `preventDefault()`, the component does not show the reason. */
export interface Refused {
  /** The server's code, such as `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`; `NETWORK`, or `SERVER` for a server that failed. */
  readonly code: string;
  /** The reference for `dialtone explain`; empty if there is none. */
  readonly reference: string;
}

/**
 * The functions of the official SDK that the component calls: the module `firebase/auth`, or an object with these.
 * Without `signInWithEmailAndPassword` it does not offer passwords. Linking, which includes the sign-in of an anonymous
 * user, needs `updatePhoneNumber`; reauthentication needs `reauthenticateWithCredential`, second factors
 * `multiFactor`, and `isNewUser` of the event `getAdditionalUserInfo`; "Forgot your password?" needs
 * `sendPasswordResetEmail`, and `email-link` needs `sendSignInLinkToEmail` and `signInWithEmailLink`.
 */
export type SignInSDK = Pick<typeof import('firebase/auth'), 'PhoneAuthProvider' | 'signInWithCredential'>
  & Partial<Pick<typeof import('firebase/auth'), 'signInWithEmailAndPassword' | 'getMultiFactorResolver'
    | 'PhoneMultiFactorGenerator' | 'TotpMultiFactorGenerator' | 'updatePhoneNumber' | 'reauthenticateWithCredential'
    | 'EmailAuthProvider' | 'signInAnonymously' | 'multiFactor' | 'getAdditionalUserInfo' | 'sendPasswordResetEmail'
    | 'sendSignInLinkToEmail' | 'signInWithEmailLink'>>;

/**
 * `<dialtone-sign-in api-key="…">`: signs users in by phone number, or by e-mail address and password if the project
 * allows them, with second factors.
 *
 * Attributes: `api-key`; `url`, the server's origin, by default that of this module; `lang`, by default the page's;
 * `persistence`, `local`, `session` or `none`: where tokens are kept without an SDK; `theme`, `light` or `dark`, by
 * default the user's; `mode`, `link`, `reauthenticate` or `enroll`, for a user who is signed in; `heading-level`, 1
 * to 6, by default 2; `autofocus`; `nonce`, for the script of a CAPTCHA provider; `email-link`, to offer sign-in by a
 * link in an e-mail, which leads to this page.
 *
 * Slots: `title` replaces the heading, `terms` follows the button, `signed-in` replaces what signed-in users see.
 * Parts: `card`, `title`, `label`, `box`, `country`, `countries`, `input`, `detail`, `error`, `reference`, `button`,
 * `resend`, `choice`, `link`. Custom properties: `--dialtone-` with `accent`, `on-accent`, `surface`, `ink`, `quiet`,
 * `line`, `edge`, `wash`, `bad`, `bad-wash`, `radius` or `font`.
 */
export class DialtoneSignIn extends HTMLElement {
  /** The SDK's `Auth` in which users are signed in; set `sdk`, too. */
  auth: Auth | null;
  sdk: SignInSDK | null;
  /** The signed-in user; null if no one is. */
  readonly user: DialtoneUser | User | null;
  /** Resolves to an anonymous user, or to the user who is already signed in. */
  signInAnonymously(): Promise<DialtoneUser | User>;
  /** Signs the user out, in this browser. */
  signOut(): Promise<void>;
}

/**
 * Opens the server's sign-in page in a window. Call it in a click. Rejects with an `Error` whose `code` is
 * `auth/popup-blocked` or `auth/popup-closed-by-user`.
 */
export function signInWithPage(
  options: { apiKey: string; url?: string; persistence?: 'local' | 'session' | 'none' }): Promise<DialtoneUser>;

/**
 * Goes to the server's sign-in page, which comes back to `redirectUri` with a one-time code. `redirectUri` must be
 * registered with the project; by default it is this page without its query. Rejects with an `Error` whose `code` is
 * `auth/network-request-failed`, `auth/web-storage-unsupported`, `auth/operation-not-supported-in-this-environment` or
 * `auth/internal-error` if the page cannot go there.
 */
export function signInWithRedirect(
  options: { apiKey: string; url?: string; redirectUri?: string; language?: string }): Promise<never>;

/**
 * Resolves to the user whom the server's sign-in page has sent here, or to null. Call it once whenever the page at
 * `redirectUri` is loaded. Rejects with an `Error` whose `code` is `auth/user-cancelled`, `auth/code-expired`,
 * `auth/invalid-oauth-response`, `auth/network-request-failed` or `auth/internal-error`.
 */
export function getRedirectResult(
  options: { apiKey: string; url?: string; persistence?: 'local' | 'session' | 'none' }): Promise<DialtoneUser | null>;

declare global {
  interface HTMLElementTagNameMap {
    'dialtone-sign-in': DialtoneSignIn;
  }
  interface HTMLElementEventMap {
    'dialtone-signed-in': CustomEvent<SignedIn>;
    'dialtone-signed-out': CustomEvent<Record<string, never>>;
    'dialtone-refused': CustomEvent<Refused>;
  }
}
