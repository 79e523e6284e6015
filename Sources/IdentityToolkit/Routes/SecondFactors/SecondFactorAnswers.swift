internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Shared by the routes about second factors.
extension Call {
    /// Sends a message, and returns its session in an object of this name.
    func sending(
        answeringIn name: String,
        _ send: @autoclosure () throws(SecondFactorRefusal) -> SentVerificationCode
    ) throws(WireError) -> Response {
        let sent = try SecondFactorRefusal.onWire(for: self, send())
        record.note(sent)
        return .json(
            JSONWriter.object { json in
                json.object(name) { $0.members(of: sent, resendDelay: operation.resendDelay) }
            }
        )
    }
}

extension JSONWriter {
    /// Writes the tokens of a session in the form of second-factor responses: without their lifetime.
    mutating func tokens(_ tokens: IssuedTokens) {
        member("idToken", tokens.idToken)
        member("refreshToken", tokens.refreshToken)
    }
}

extension Fields {
    /// Returns the answer to a second factor: a session and its code.
    func answer(codeName: String) throws(WireError) -> (sessionInfo: String, code: String) {
        guard let code = try nonEmptyText(codeName) else { throw .code(.missingCode) }
        guard let sessionInfo = try nonEmptyText("sessionInfo") else { throw .code(.missingSessionInfo) }
        return (sessionInfo, code)
    }
}

extension WireError {
    static let missingSecondFactorID = code(
        .missingMFAEnrollmentID,
        "No second factor identifier is provided."
    )
}
