/// The cryptographic library could not sign; it does not say why.
struct SigningFailure: Error {}
