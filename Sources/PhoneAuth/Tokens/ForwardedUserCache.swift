internal import Cryptography
public import Encodings
internal import Synchronization

/// The users of credentials that proxies have already forwarded. A page of a site takes many requests with one
/// credential, and verifying its signature and reading its claims take longer than everything else.
///
/// An entry contains only what the signature proved, so it is valid under the same conditions: until the credential
/// expires, and while its signing key is published. Requests that check revocation do not use the cache. Credentials
/// are not kept, only their hashes. All threads of a process share one cache.
public final class ForwardedUserCache: Sendable {
    /// The maximum number of entries. At the limit, all are dropped, which costs one verification for each.
    static let capacity = 1024
    /// The maximum length of the claims of an entry; tokens with longer claims are verified each time. So the cache
    /// takes at most about 4 MB, and usually 1 MB.
    static let maximumClaimBytes = 4096

    /// The project, the kind and the hash of a credential.
    struct Key: Hashable {
        fileprivate let project: String
        fileprivate let kind: TokenKind
        fileprivate let hash: [UInt8]

        init(_ text: String, _ kind: TokenKind, in project: Project) {
            self.project = project.id
            self.kind = kind
            hash = SHA256.hash(Array(text.utf8))
        }
    }

    private struct Entry {
        let user: ForwardedUser
        let signingKeyID: String
        /// In seconds since the Unix epoch.
        let expiresAt: Int64
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// Creates an empty cache.
    public init() {}

    /// The number of entries.
    var count: Int { entries.withLock { $0.count } }

    /// Returns the user of a credential that would still be valid; nil if it must be verified.
    func user(_ key: Key, _ keys: ServerKeys, at now: Instant) -> ForwardedUser? {
        guard let entry = entries.withLock({ $0[key] }), now.seconds < entry.expiresAt,
            keys.signingKey(entry.signingKeyID) != nil
        else { return nil }
        return entry.user
    }

    /// Keeps the user of a credential that was just verified.
    func keep(_ user: ForwardedUser, of token: VerifiedIDToken, as key: Key) {
        guard user.claims.utf8.count <= Self.maximumClaimBytes, let signingKeyID = token.token.keyID,
            let expiresAt = token.token.seconds("exp")
        else { return }
        let entry = Entry(user: user, signingKeyID: signingKeyID, expiresAt: expiresAt)
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
            entries[key] = entry
        }
    }
}

/// What a valid credential says about its user. The account may have changed since the token was issued.
public struct ForwardedUser: Sendable, Confidential {
    /// The account's id.
    public let uid: String
    /// The account's e-mail address.
    public let email: String?
    /// Whether the user has proven the e-mail address.
    public let isEmailVerified: Bool
    /// The account's phone number.
    public let phoneNumber: String?
    /// The sign-in method of the session.
    public let provider: SignInProvider
    /// All claims of the token as base64url of JSON, exactly as they were signed.
    public let claims: String

    init(_ token: VerifiedIDToken) {
        uid = token.uid
        email = token.token.text("email")
        isEmailVerified = token.token.claims["email_verified"] == .bool(true)
        phoneNumber = token.token.text("phone_number")
        provider = token.provider
        claims = token.token.encodedClaims
    }
}
