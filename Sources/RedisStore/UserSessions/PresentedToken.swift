internal import Encodings
internal import Redis

/// The ID token on whose behalf a script writes. `id-token.lua` compares it with account and session again, in the step
/// that writes.
public struct PresentedToken: Sendable {
    /// Its session; nil in tokens of the version before.
    public let session: UserSessionIdentity?
    let revocation: Int64?
    let issuedAt: Int64
    let requestID: String?
    /// The account's ``AccountRecord/waysToSignIn`` when the worker authorized the token's user, nil if the sign-in was
    /// recent. If the account has others by then, nothing is linked.
    public var waysToSignIn: String?

    /// A verified token of a `session`, with the account's `revocation` counter; both are nil in tokens of the version
    /// before. It was issued at a time in seconds since the Unix epoch. The `requestID` is the same when a front end
    /// repeats the request.
    public init(session: UserSessionIdentity?, revocation: Int64?, issuedAt: Int64, requestID: String?) {
        self.session = session
        self.revocation = revocation
        self.issuedAt = issuedAt
        self.requestID = requestID
    }

    var argument: [UInt8] {
        JSONWriter.object { json in
            json.member("session", session?.hash ?? "")
            json.member("revocation", revocation.map { String($0) } ?? "")
            json.member("issued", String(issuedAt))
            json.member("request", requestID ?? "")
            if let waysToSignIn { json.member("ways", waysToSignIn) }
        }
    }
}

extension AccountRecord {
    /// What the account's user can sign in with, as `id-token.lua` writes it to compare.
    public var waysToSignIn: String {
        "\(numberClaimID ?? "") \(emailClaimID ?? "") \(sealedPassword == nil ? "0" : "1")"
    }

    /// Whether a token of the account is revoked that was issued at a time, in seconds since the Unix epoch, under a
    /// counter; nil if it carries none. The rule of `revocation.lua`, which scripts apply again when they write.
    public func hasRevoked(_ revocation: Int64?, issuedAt seconds: Int64) -> Bool {
        let validSince = validSince ?? 0
        guard let revocation else { return self.revocation != nil || seconds < validSince }
        return revocation != self.revocation ?? 0 || seconds < validSince - Store.maximumClockDifferenceSeconds
    }
}

extension ScriptCall {
    /// A call of a script that changes an account: on behalf of an ID token, unless that is nil, and telling the audit
    /// log, unless that is nil.
    init(
        keys: [String],
        arguments: [Argument],
        onBehalfOf token: PresentedToken? = nil,
        of account: AccountIdentity,
        audit: AuditContext?
    ) {
        self.init(keys: keys, arguments: arguments, onBehalfOf: token, of: account)
        append(KeyNames.audit(account.shard), .bytes(audit?.argument(in: account.shard) ?? []))
    }

    /// A call of a script that writes no events.
    init(keys: [String], arguments: [Argument], onBehalfOf token: PresentedToken?, of account: AccountIdentity) {
        self.init(keys: keys, arguments: arguments)
        append(
            token?.session.map(KeyNames.userSession) ?? KeyNames.user(account),
            .bytes(token?.argument ?? [])
        )
    }
}
