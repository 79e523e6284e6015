internal import Encodings
internal import PhoneAuth

/// A signed token by which APNs knows the team: good for an hour from its `iat` on.
struct ProviderToken: Equatable, Sendable, Confidential {
    /// The compact JWS.
    let encoded: String
    let issuedAt: Instant
}
