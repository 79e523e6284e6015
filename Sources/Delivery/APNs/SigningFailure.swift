/// Signing failed; the cryptographic library reports no reason.
struct SigningFailure: Error {}
