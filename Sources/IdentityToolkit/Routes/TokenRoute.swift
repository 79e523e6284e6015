internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func token(_ call: Call) throws(WireError) -> Response {
        guard let grantType = try call.fields.nonEmptyText("grantType") else { throw .code(.missingGrantType) }
        guard grantType == "refresh_token" else { throw .code(.invalidGrantType) }
        guard let refreshToken = try call.fields.nonEmptyText("refreshToken") else {
            throw .code(.missingRefreshToken)
        }
        let refreshed = try ExchangeRefreshTokenRefusal.onWire(call.operation.exchangeRefreshToken(refreshToken))
        call.record.reason = "refreshed"
        return .json(
            JSONWriter.object { json in
                json.member("access_token", refreshed.idToken)
                json.member("expires_in", String(IDToken.lifetime.components.seconds))
                json.member("token_type", "Bearer")
                json.member("refresh_token", refreshed.refreshToken)
                json.member("id_token", refreshed.idToken)
                json.member("user_id", refreshed.uid)
                json.member("project_id", call.project.number)
            }
        )
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
        case .unavailable(let store): store.wire
        case .internalFailure: .internalError(logDetail: "signing failed")
        }
    }
}
