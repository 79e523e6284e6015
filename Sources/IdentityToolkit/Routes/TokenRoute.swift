internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func token(_ call: Call) throws(WireError) -> Response {
        switch try call.fields.nonEmptyText("grantType") {
        case nil: throw .code(.missingGrantType)
        case "refresh_token": return try refresh(call)
        case "authorization_code": return try exchangeAuthorizationCode(call)
        default: throw .code(.invalidGrantType)
        }
    }

    private static func refresh(_ call: Call) throws(WireError) -> Response {
        guard let refreshToken = try call.fields.nonEmptyText("refreshToken") else {
            throw .code(.missingRefreshToken)
        }
        let operation = call.operation
        let refreshed: RefreshedToken
        if operation.mayBeFirebaseToken(refreshToken) {
            refreshed = try TakeOverFirebaseSessionRefusal.onWire(operation.takeOverFirebaseSession(refreshToken))
            call.record.reason = "taken-over"
        } else {
            refreshed = try ExchangeRefreshTokenRefusal.onWire(operation.exchangeRefreshToken(refreshToken))
            call.record.reason = "refreshed"
        }
        // The protocol's own form: a string.
        return tokens(refreshed, expiresIn: .string(String(IDToken.lifetime.components.seconds)), in: call.project)
    }

    /// Exchanges an authorization code (RFC 6749 § 4.1.3). SDKs do not, so names, values and errors are OAuth's.
    private static func exchangeAuthorizationCode(_ call: Call) throws(WireError) -> Response {
        func required(_ name: String) throws(WireError) -> String {
            guard let text = try call.fields.nonEmptyText(name) else {
                throw .oauth(.invalidRequest, "\(name) is missing")
            }
            return text
        }
        let code = try required("code")
        let redirectURI = try required("redirect_uri")
        guard let verifier = CodeVerifier(try required("code_verifier")) else {
            throw .oauth(.invalidRequest, "code_verifier must have 43 to 128 unreserved characters")
        }
        guard try call.fields.nonEmptyText("client_id").map({ $0 == call.apiKey }) ?? true else {
            throw .oauth(.invalidRequest, "client_id and the API key of the URL differ")
        }
        let exchanged = try ExchangeAuthorizationCodeRefusal.onWire(
            call.operation.exchangeAuthorizationCode(
                code,
                clientID: call.apiKey,
                redirectURI: redirectURI,
                verifier: verifier
            )
        )
        call.record.reason = "exchanged"
        return tokens(exchanged, expiresIn: .number(String(IDToken.lifetime.components.seconds)), in: call.project)
    }

    private static func tokens(_ tokens: RefreshedToken, expiresIn: JSONValue, in project: Project) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("access_token", tokens.idToken)
                json.member("expires_in", expiresIn)
                json.member("token_type", "Bearer")
                json.member("refresh_token", tokens.refreshToken)
                json.member("id_token", tokens.idToken)
                json.member("user_id", tokens.uid)
                json.member("project_id", project.number)
            }
        )
    }
}

extension ExchangeAuthorizationCodeRefusal: WireRefusal {
    /// The client learns only that the code is not valid for it. The log has the reason.
    var wire: WireError {
        switch self {
        case .failed(let failure): failure.wire
        case .codeUnknown, .codeReused, .mismatch, .accountDisabled, .accountUnknown, .sessionEnded,
            .secondFactorMissing:
            .oauth(.invalidGrant, "The code is not valid, or not for this client.", logDetail: "\(self)")
        }
    }
}

extension ExchangeRefreshTokenRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .tokenMalformed: .code(.invalidRefreshToken)
        // SDKs end the session on TOKEN_EXPIRED. On INVALID_REFRESH_TOKEN they keep a user whose token can never be
        // refreshed.
        case .tokenUnknown: .code(.tokenExpired, logDetail: "no session has this refresh token")
        case .accountDisabled: .code(.userDisabled)
        case .accountUnknown: .code(.userNotFound)
        case .tokenRevoked: .code(.tokenExpired)
        case .tokenReused:
            .code(.tokenExpired, logDetail: "the refresh token was replayed after its rotation, so it was copied")
        case .secondFactorMissing:
            .code(.tokenExpired, logDetail: "the project requires a second factor, and the session has none")
        case .failed(let failure): failure.wire
        }
    }
}

extension TakeOverFirebaseSessionRefusal: WireRefusal {
    /// Rate limits, and faults of Google's servers or of the settings, have an error with which SDKs keep the user.
    var wire: WireError {
        switch self {
        case .ended: .code(.tokenExpired, logDetail: "the takeover of Firebase sessions has ended")
        case .tokenUsed: .code(.tokenExpired, logDetail: "the Firebase refresh token was exchanged before")
        case .sessionRevoked:
            .code(.tokenExpired, logDetail: "the account was secured here: revoked tokens, or a second factor")
        case .limited(let refusal): .unavailable(logDetail: "\(refusal)", retryAfter: refusal.retryAfter)
        case .refused(.tokenInvalid), .refused(.otherProject):
            .code(.invalidRefreshToken, logDetail: "Firebase refused the refresh token")
        case .refused(.tokenExpired): .code(.tokenExpired, logDetail: "the Firebase session has ended")
        case .refused(.accountDisabled): .code(.userDisabled, logDetail: "Firebase has disabled the account")
        case .refused(.accountUnknown): .code(.userNotFound, logDetail: "Firebase does not have the account")
        case .exchangeUnavailable(let reason): .unavailable(logDetail: "Firebase: \(reason)")
        case .accountDisabled: .code(.userDisabled)
        case .accountUnknown: .code(.userNotFound, logDetail: "the Firebase user was not imported")
        case .failed(let failure): failure.wire
        }
    }
}
