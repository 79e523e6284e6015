internal import Encodings
internal import RedisScripts

/// The ID token that authorizes a script's changes. `id-token.lua` verifies it again, against account and session, in
/// the step that writes.
public struct PresentedToken: Sendable {
    /// The token's session.
    let session: UserSessionIdentity
    let revocation: Int64
    let issuedAt: Int64
    let requestID: String?
    /// The account's ``AccountRecord/waysToSignIn`` when the worker authorized the token's user; nil if the sign-in was
    /// recent. If these ways have changed when the script runs, nothing is linked.
    var waysToSignIn: String?
    /// How long `lookup` and `token` accept the session's former tokens if the change revokes them; nil if they end.
    var formerMilliseconds: Int64?

    /// Describes a verified token of a `session`, with the account's `revocation` counter. `issuedAt` is in seconds
    /// since the Unix epoch. The `requestID` is the same if the front end retries the request.
    public init(session: UserSessionIdentity, revocation: Int64, issuedAt: Int64, requestID: String?) {
        self.session = session
        self.revocation = revocation
        self.issuedAt = issuedAt
        self.requestID = requestID
    }

    var argument: [UInt8] {
        JSONWriter.object { json in
            json.member("session", session.hash)
            json.member("revocation", String(revocation))
            json.member("issued", String(issuedAt))
            json.member("request", requestID ?? "")
            if let formerMilliseconds { json.member("former", formerMilliseconds) }
            if let waysToSignIn { json.member("ways", waysToSignIn) }
        }
    }
}

extension AccountRecord {
    /// The ways in which the account's user can sign in, in the form that `id-token.lua` compares.
    var waysToSignIn: String {
        "\(numberClaimID ?? "") \(emailClaimID ?? "") \(sealedPassword == nil ? "0" : "1")"
    }

    /// Returns whether a token of the account is revoked, given its time of issue (seconds since the Unix epoch) and
    /// its counter. Scripts apply the same rule (`revocation.lua`) again when they write.
    func hasRevoked(_ revocation: Int64, issuedAt seconds: Int64) -> Bool {
        revocation != self.revocation || seconds < (validSince ?? 0) - Store.maximumClockDifferenceSeconds
    }
}
