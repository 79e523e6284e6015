import type { Auth, User } from 'firebase/auth';
import type { DialtoneUser, SignInSDK } from './sign-in';

/**
 * The functions of the official SDK that the component calls, in addition to those of `<dialtone-sign-in>`: the module
 * `firebase/auth`, or an object with these. E-mail addresses can be confirmed and changed with the last three.
 */
export type AccountSDK = SignInSDK & Partial<Pick<typeof import('firebase/auth'), 'deleteUser' | 'sendEmailVerification'
  | 'updateEmail' | 'verifyBeforeUpdateEmail'>>;

/**
 * `<dialtone-account api-key="…">`: shows signed-in users who they are, their sessions and their second factors. They
 * can end sessions, confirm and change the e-mail address, add and remove factors, create recovery codes, sign out, and
 * delete the account. A visitor who is not signed in can sign in there.
 *
 * Attributes: those of `<dialtone-sign-in>` without `mode`, and `app-name`, the name under which authenticator apps
 * list the account, by default the page's host name.
 *
 * Slots and parts: `title`; the parts that it shares with `<dialtone-sign-in>`; `section`, `subtitle`, `notice` and
 * `qr`. The `<dialtone-sign-in>` with which users sign in is a child of the element. Custom properties: the same.
 */
export class DialtoneAccount extends HTMLElement {
  /** The SDK's `Auth` whose user is shown; set `sdk`, too. */
  auth: Auth | null;
  sdk: AccountSDK | null;
  /** The signed-in user; null if no one is. */
  readonly user: DialtoneUser | User | null;
  /** Signs the user out, in this browser, and ends the session on the server if it can be reached. */
  signOut(): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    'dialtone-account': DialtoneAccount;
  }
  interface HTMLElementEventMap {
    'dialtone-account-deleted': CustomEvent<Record<string, never>>;
  }
}
