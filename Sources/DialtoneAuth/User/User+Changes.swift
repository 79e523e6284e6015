public import Foundation

extension User {
    /// Reads the account again, for example after the operator has changed it.
    public func reload() async throws { try await fetchAccount() }

    /// Reads the account again; see ``reload()``.
    public func reload(completion: AuthErrorCompletion? = nil) { complete(completion) { try await self.reload() } }

    /// Adds a sign-in method.
    ///
    /// - Throws: ``AuthErrorCode/credentialAlreadyInUse`` if another account has the credential; the error's
    /// ``AuthErrors/userInfoUpdatedCredentialKey`` signs in to that account. ``AuthErrorCode/requiresRecentLogin`` if
    /// the last sign-in is too long ago.
    @discardableResult public func link(with credential: AuthCredential) async throws -> AuthDataResult {
        if providerData.contains(where: { $0.providerID == credential.provider }) {
            throw AuthErrorCode.providerAlreadyLinked.error()
        }
        return try await runToEnd { try await self.add(credential) }
    }

    /// Adds a sign-in method; see ``link(with:)``.
    public func link(with credential: AuthCredential, completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.link(with: credential) }
    }

    /// Removes a sign-in method: `phone` or `password`.
    @discardableResult public func unlink(fromProvider provider: String) async throws -> User {
        guard providerData.contains(where: { $0.providerID == provider }) else {
            throw AuthErrorCode.noSuchProvider.error()
        }
        var fields = JSONFields()
        fields["deleteProvider"] = .texts([provider])
        try await update(fields)
        return self
    }

    /// Removes a sign-in method; see ``unlink(fromProvider:)``.
    public func unlink(fromProvider provider: String, completion: AuthCompletion<User>? = nil) {
        complete(completion) { try await self.unlink(fromProvider: provider) }
    }

    /// Replaces the phone number with which the user signs in.
    public func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws {
        _ = try await runToEnd { try await self.add(credential) }
    }

    /// Replaces the phone number; see ``updatePhoneNumber(_:)``.
    public func updatePhoneNumber(_ credential: PhoneAuthCredential, completion: AuthErrorCompletion? = nil) {
        complete(completion) { try await self.updatePhoneNumber(credential) }
    }

    /// Replaces the e-mail address.
    public func updateEmail(to email: String) async throws { try await update(JSONFields(["email": email])) }

    /// Replaces the e-mail address; see ``updateEmail(to:)``.
    public func updateEmail(to email: String, completion: AuthErrorCompletion? = nil) {
        complete(completion) { try await self.updateEmail(to: email) }
    }

    /// Replaces the password. Other sessions of the user end.
    public func updatePassword(to password: String) async throws {
        try await update(JSONFields(["password": password]))
    }

    /// Replaces the password; see ``updatePassword(to:)``.
    public func updatePassword(to password: String, completion: AuthErrorCompletion? = nil) {
        complete(completion) { try await self.updatePassword(to: password) }
    }

    /// Returns a request to change the profile, which ``UserProfileChangeRequest/commitChanges()`` sends.
    public func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }

    /// Deletes the account, and signs out.
    ///
    /// - Throws: ``AuthErrorCode/requiresRecentLogin`` if the last sign-in is too long ago.
    public func delete() async throws {
        _ = try await post("/v1/accounts:delete", JSONFields(), as: EmptyResponse.self)
        auth?.forget(self)
    }

    /// Deletes the account; see ``delete()``.
    public func delete(completion: AuthErrorCompletion? = nil) { complete(completion) { try await self.delete() } }

    /// Signs in to the same account again, so that sensitive changes are possible for some minutes.
    ///
    /// - Throws: ``AuthErrorCode/userMismatch`` if the credential belongs to another user;
    ///   ``AuthErrorCode/secondFactorRequired`` as at sign-in.
    @discardableResult public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
        try await runToEnd { try await self.exchange(credential) }
    }

    private func exchange(_ credential: AuthCredential) async throws -> AuthDataResult {
        let auth = try existingAuth()
        let response: SignInResponse
        do {
            switch credential.kind {
            case .password, .emailLink:
                response = try await auth.exchange(credential)
            case .phoneCode, .phoneProof:
                response = try await post(
                    "/v1/accounts:signInWithPhoneNumber",
                    credential.fields.merging(JSONFields(["operation": "REAUTH"])),
                    endsSession: false,
                    key: credential.key,
                    as: SignInResponse.self
                )
            }
        } catch let error where AuthErrorCode(error) == .userNotFound {
            throw AuthErrorCode.userMismatch.error()
        }
        if response.temporaryProof != nil { throw AuthErrorCode.userMismatch.error() }
        return try await auth.finish(response, credential.provider, isSignIn: false, since: 0) { tokens, isNewUser, _ in
            guard try IDTokenClaims(tokens.idToken).uid == self.uid else { throw AuthErrorCode.userMismatch.error() }
            try await self.finish(tokens)
            auth.verificationEnded(by: credential)
            return AuthDataResult(self, AdditionalUserInfo(credential.provider, isNewUser: isNewUser))
        }
    }

    /// Signs in to the same account again; see ``reauthenticate(with:)``.
    public func reauthenticate(with credential: AuthCredential, completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.reauthenticate(with: credential) }
    }

    // MARK: Steps

    private func add(_ credential: AuthCredential) async throws -> AuthDataResult {
        let auth = try existingAuth()
        let response: SignInResponse
        switch credential.kind {
        case .password:
            let path = "/v1/accounts:signUp"
            response = try await post(path, credential.fields, key: credential.key, as: SignInResponse.self)
        case .emailLink:
            let path = "/v1/accounts:signInWithEmailLink"
            response = try await post(path, credential.fields, key: credential.key, as: SignInResponse.self)
        case .phoneCode, .phoneProof:
            // The number may now belong to another account, and that account may be disabled.
            response = try await post(
                "/v1/accounts:signInWithPhoneNumber",
                credential.fields.merging(JSONFields(["operation": "LINK"])),
                endsSession: false,
                key: credential.key,
                as: SignInResponse.self
            )
        }
        if let proof = response.temporaryProof, let number = response.phoneNumber {
            auth.verificationEnded(by: credential)
            throw AuthErrorCode.credentialAlreadyInUse.error(
                info: [
                    AuthErrors.userInfoUpdatedCredentialKey: PhoneAuthCredential(
                        .phoneProof(phoneNumber: number, proof: proof)
                    )
                ]
            )
        }
        return try await auth.finish(response, credential.provider, isSignIn: false, since: 0) { tokens, isNewUser, _ in
            try await self.finish(tokens)
            auth.verificationEnded(by: credential)
            return AuthDataResult(self, AdditionalUserInfo(credential.provider, isNewUser: isNewUser))
        }
    }

    /// Changes the account, and adopts the tokens that the server returns.
    func update(_ fields: JSONFields) async throws {
        var fields = fields
        fields["returnSecureToken"] = .flag(true)
        let form = fields
        try await runToEnd {
            let (path, key) = ("/v1/accounts:update", APIClient.newKey())
            let response = try await self.post(path, form, key: key, as: SignInResponse.self)
            if let idToken = response.idToken, let refreshToken = response.refreshToken {
                try self.adopt(Tokens(idToken: idToken, refreshToken: refreshToken))
            }
            try await self.fetchAccountIfPossible()
        }
    }
}

/// A change of a user's name and picture. Properties that are not set stay unchanged; properties that are set to nil
/// are removed.
public final class UserProfileChangeRequest: Sendable {
    private struct Changes: Sendable {
        var displayName: String??
        var photoURL: URL??
    }

    private let user: User
    private let changes = Locked(Changes())

    init(_ user: User) { self.user = user }

    /// The display name.
    public var displayName: String? {
        get { changes.withLock { $0.displayName } ?? user.displayName }
        set { changes.withLock { $0.displayName = .some(newValue) } }
    }

    /// The URL of a picture.
    public var photoURL: URL? {
        get { changes.withLock { $0.photoURL } ?? user.photoURL }
        set { changes.withLock { $0.photoURL = .some(newValue) } }
    }

    /// Sends the changes.
    public func commitChanges() async throws {
        var fields = JSONFields()
        var removed: [String] = []
        let changes = changes.withLock { $0 }
        if let displayName = changes.displayName {
            if let displayName { fields["displayName"] = .text(displayName) } else { removed.append("DISPLAY_NAME") }
        }
        if let photoURL = changes.photoURL {
            if let photoURL { fields["photoUrl"] = .text(photoURL.absoluteString) } else { removed.append("PHOTO_URL") }
        }
        if !removed.isEmpty { fields["deleteAttribute"] = .texts(removed) }
        guard !fields.members.isEmpty else { return }
        try await user.update(fields)
    }

    /// Sends the changes; see ``commitChanges()``.
    public func commitChanges(completion: AuthErrorCompletion? = nil) {
        complete(completion) { try await self.commitChanges() }
    }
}
