extension User {
    /// Sends an e-mail with a link that verifies the user's address.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await send(JSONFields(requestType: "VERIFY_EMAIL", actionCodeSettings))
    }

    /// Sends an e-mail with a link that verifies the user's address.
    public func sendEmailVerification(
        with actionCodeSettings: ActionCodeSettings? = nil,
        completion: AuthErrorCompletion? = nil
    ) {
        complete(completion) { try await self.sendEmailVerification(with: actionCodeSettings) }
    }

    /// Sends an e-mail to a new address, with a link that verifies it and makes it the user's.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String,
        actionCodeSettings: ActionCodeSettings? = nil
    ) async throws {
        try await send(JSONFields(requestType: "VERIFY_AND_CHANGE_EMAIL", newEmail: newEmail, actionCodeSettings))
    }

    /// Sends an e-mail to a new address; see ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)``.
    public func sendEmailVerification(
        beforeUpdatingEmail newEmail: String,
        actionCodeSettings: ActionCodeSettings? = nil,
        completion: AuthErrorCompletion? = nil
    ) {
        complete(completion) {
            try await self.sendEmailVerification(beforeUpdatingEmail: newEmail, actionCodeSettings: actionCodeSettings)
        }
    }

    private func send(_ fields: JSONFields) async throws {
        _ = try await post("/v1/accounts:sendOobCode", fields, key: APIClient.newKey(), as: EmptyResponse.self)
    }
}
