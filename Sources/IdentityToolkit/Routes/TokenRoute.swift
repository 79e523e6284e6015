internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    func token(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        guard let grantType = try call.fields.nonEmptyText("grantType") else { throw .badRequest("MISSING_GRANT_TYPE") }
        guard grantType == "refresh_token" else { throw .badRequest("INVALID_GRANT_TYPE") }
        guard let refreshToken = try call.fields.nonEmptyText("refreshToken") else {
            throw .badRequest("MISSING_REFRESH_TOKEN")
        }
        do {
            let refreshed = try authenticator.exchangeRefreshToken(refreshToken, in: call.project)
            record.reason = "refreshed"
            return .json(
                JSONWriter.object { json in
                    json.member("access_token", refreshed.idToken)
                    json.member("expires_in", String(Policy.idTokenLifetime.components.seconds))
                    json.member("token_type", "Bearer")
                    json.member("refresh_token", refreshed.refreshToken)
                    json.member("id_token", refreshed.idToken)
                    json.member("user_id", refreshed.uid)
                    json.member("project_id", call.project.number)
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension ExchangeRefreshTokenRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .tokenMalformed: .badRequest("INVALID_REFRESH_TOKEN")
        // SDKs end the session on TOKEN_EXPIRED. On INVALID_REFRESH_TOKEN they keep a user whose token can never be
        // refreshed.
        case .tokenUnknown: .badRequest("TOKEN_EXPIRED", logDetail: "no session has this refresh token")
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .accountUnknown: .badRequest("USER_NOT_FOUND")
        case .tokenRevoked: .badRequest("TOKEN_EXPIRED")
        case .tokenReused:
            .badRequest(
                "TOKEN_EXPIRED",
                logDetail: "an earlier generation of the refresh token came back: it was copied"
            )
        case .secondFactorMissing:
            .badRequest("TOKEN_EXPIRED", logDetail: "the project requires a second factor, and the session has none")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        case .internalFailure: .internalError(logDetail: "signing failed")
        }
    }
}
