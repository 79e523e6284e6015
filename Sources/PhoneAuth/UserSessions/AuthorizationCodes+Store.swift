internal import Redis
public import RedisScripts

/// What the client that exchanges an authorization code must present.
public struct AuthorizationCodeTerms: Sendable {
    /// One of a code's terms.
    public enum Term: String, Sendable {
        case clientID = "client-id"
        case redirectURI = "redirect-uri"
        case challenge
    }

    /// SHA-256 of the client id and of the redirect URI, base64url.
    let clientIDHash, redirectURIHash: String
    /// The challenge of PKCE, base64url.
    let challenge: String

    fileprivate var arguments: [(StaticString, Argument)] {
        [
            ("clientID", .text(clientIDHash)), ("redirectURI", .text(redirectURIHash)),
            ("challenge", .text(challenge)),
        ]
    }
}

/// The result of the script `exchange-authorization-code.lua`.
enum AuthorizationCodeOutcome {
    case exchanged(RefreshTokenOutcome.Session)
    case unknown
    /// The code was used by an earlier request. The session has ended.
    case reused
    /// The client presented another value. The session has ended.
    case mismatch(AuthorizationCodeTerms.Term)
    /// The session had ended before.
    case ended
    case noAccount
    case disabled
}

extension Store {
    /// Stores an authorization code by its hash, replacing the session's earlier code. Returns false if the ID token
    /// was revoked.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func issueAuthorizationCode(
        _ hash: String,
        of session: UserSessionIdentity,
        for terms: AuthorizationCodeTerms,
        account: AccountIdentity,
        onBehalfOf token: PresentedToken,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        var call = ScriptCall(
            .issueAuthorizationCode,
            keys: ["accountKey": KeyNames.user(account), "codeKey": KeyNames.authorizationCode(session)],
            ["uid": .text(account.uid), "code": .text(hash), "codeLife": .integer(lifeMilliseconds)],
            onBehalfOf: token,
            of: account
        )
        for (name, value) in terms.arguments { call.append(name, value) }
        return try run(call, isConfirmed: true).integer() == 1
    }

    /// Exchanges an authorization code, named by its hash, for a refresh token with this hash of its secret. A code is
    /// remembered for `usedMilliseconds` after its use by a request. `now` is in milliseconds since the Unix epoch.
    /// `client` is the client name as the client reports it, or empty.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func exchangeAuthorizationCode(
        _ hash: String,
        of session: UserSessionIdentity,
        on terms: AuthorizationCodeTerms,
        secretHash: String,
        requestID: String,
        now: Int64,
        idleMilliseconds: Int64,
        usedMilliseconds: Int64,
        client: String = "",
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AuthorizationCodeOutcome {
        var call = ScriptCall(
            .exchangeAuthorizationCode,
            keys: [
                "codeKey": KeyNames.authorizationCode(session),
                "sessionKey": KeyNames.userSession(session),
                "accountPrefix": KeyNames.userPrefix(session.shard, session.project),
                "sessionsPrefix": KeyNames.userSessionsPrefix(session.shard, session.project),
            ],
            [
                "now": .integer(now),
                "idleLife": .integer(idleMilliseconds),
                "sessionID": .text(session.hash),
                "request": .text(requestID),
                "code": .text(hash),
                "usedLife": .integer(usedMilliseconds),
                "secret": .text(secretHash),
                "client": .text(client),
                "network": .text(audit?.networkHash ?? ""),
            ],
            audit: audit,
            in: session.shard
        )
        for (name, value) in terms.arguments { call.append(name, value) }
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "reused": return .reused
        case "ended": return .ended
        case "no-account": return .noAccount
        case "disabled": return .disabled
        case "mismatch":
            guard let term = AuthorizationCodeTerms.Term(rawValue: try reply.text(at: 1)) else {
                throw .unexpectedReply
            }
            return .mismatch(term)
        case "exchanged":
            return .exchanged(try RefreshTokenOutcome.Session(reply, of: session, among: shards))
        default: throw .unexpectedReply
        }
    }
}
