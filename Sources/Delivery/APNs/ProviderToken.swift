internal import Encodings
internal import PhoneAuth

/// A signed token that authenticates the team to APNs; valid for an hour from its `iat`.
struct ProviderToken: Equatable, Sendable, Confidential {
    /// The compact JWS.
    let encoded: String
    let issuedAt: Instant
}
