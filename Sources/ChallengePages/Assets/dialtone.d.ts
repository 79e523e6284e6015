import type { ApplicationVerifier, Auth } from 'firebase/auth';

/** An error whose `code` is one of the SDK's own, such as `auth/network-request-failed`. */
export interface DialtoneError extends Error {
  readonly code: string;
}

/**
 * Lets `auth` reach a Dialtone server in production mode. Call it directly after `initializeAuth`; requests that `auth`
 * makes after the call go to the server.
 *
 * The promise resolves once the server has been reached, and rejects with a `DialtoneError`.
 *
 * @param options.url the server's origin, such as `https://auth.example.com`; by default that of this module
 */
export function connectDialtone(auth: Auth, options?: { url?: string }): Promise<void>;

/** Proves a web app without user interaction. Each call of `verify` gets a new token, valid for one request. */
export class DialtoneVerifier implements ApplicationVerifier {
  /**
   * @param options.apiKey the project's API key
   * @param options.url the server's origin; by default that of this module
   * @param options.onProgress is called with the completed share of the work, from 0 to 1
   */
  constructor(options: { apiKey: string; url?: string; onProgress?: (share: number) => void });
  readonly type: 'recaptcha';
  /** Resolves to a token; rejects with a `DialtoneError`. */
  verify(): Promise<string>;
  /** Cancels the work in progress. */
  clear(): void;
}
