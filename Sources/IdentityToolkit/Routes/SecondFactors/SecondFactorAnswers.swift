internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// Shared by the routes about second factors.
extension IdentityToolkitHandler {
    /// Maps a refusal to the protocol's error, and records its phone number for the log.
    func refusing<Result>(
        _ call: Call,
        _ record: inout RequestRecord,
        _ operation: () throws(SecondFactorRefusal) -> Result
    ) throws(WireError) -> Result {
        do {
            return try operation()
        } catch {
            record.phone = error.phone
            throw error.wire(call)
        }
    }

    /// Sends a message, and returns its session in an object of this name.
    func sending(
        _ message: Call,
        answeringIn name: String,
        _ record: inout RequestRecord,
        _ send: () throws(SecondFactorRefusal) -> SentVerificationCode
    ) throws(WireError) -> Response {
        let sent = try refusing(message, &record, send)
        record.phone = sent.phone
        record.reason = sent.outcome.rawValue
        return .json(
            JSONWriter.object { json in json.object(name) { $0.member("sessionInfo", sent.sessionInfo) } }
        )
    }
}

extension JSONWriter {
    /// Writes the tokens of a session as second-factor responses have them: without their lifetime.
    mutating func tokens(_ tokens: IssuedTokens) {
        member("idToken", tokens.idToken)
        member("refreshToken", tokens.refreshToken)
    }
}

extension Fields {
    /// Returns the answer to a second factor: a session and its code.
    func answer(codeName: String) throws(WireError) -> (sessionInfo: String, code: String) {
        guard let code = try nonEmptyText(codeName) else { throw .badRequest("MISSING_CODE") }
        guard let sessionInfo = try nonEmptyText("sessionInfo") else { throw .badRequest("MISSING_SESSION_INFO") }
        return (sessionInfo, code)
    }
}

extension WireError {
    static let missingSecondFactorID = badRequest(
        "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."
    )
}
