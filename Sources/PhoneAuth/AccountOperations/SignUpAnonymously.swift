internal import Encodings
internal import RedisScripts

/// Why no account was created.
public enum SignUpRefusal: OperationRefusal {
    /// The operator has disabled anonymous sign-in for the project.
    case anonymousSignInDisabled
    /// The e-mail address or the password was rejected.
    case credential(CredentialRefusal)
    case displayNameTooLong
    /// The project requires proof of the app at sign-up.
    case appNotProven(AppProofFailure)
    /// A blocking hook disabled the account while allowing its creation.
    case accountDisabled
    case failed(OperationFailure)
}

extension OperationContext {
    /// Creates an anonymous account.
    ///
    /// Idempotent only under the client's key: without one, a retry creates another account.
    /// - Throws: ``SignUpRefusal``.
    public func signUpAnonymously(provenBy proof: AppProofRequest? = nil) throws(SignUpRefusal) -> IssuedTokens {
        guard project.isAnonymousSignInEnabled else { throw .anonymousSignInDisabled }
        return try creatingAccount(by: .signUp) { () throws(SignUpRefusal) in
            try requireAppProof(proof)
            return try resumed().makeAnonymousAccount()
        }
    }

    private func makeAnonymousAccount() throws(SignUpRefusal) -> IssuedTokens {
        let uid =
            repeatable == nil
            ? AccountID.make(environment) : Base64URL.string(repeatableBytes(21, "anonymous", ""))
        let account = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let outcome = try SignUpRefusal.wrapping(
            failureOf: issueTokens(
                TokenRequest(account: account, provider: .anonymous, signedInAt: now, maker: uid, mustCreate: true)
            )
        )
        if case .issued(let tokens) = outcome { return tokens }
        // The client has repeated the request although it has changed or ended the session.
        throw .failed(.interrupted)
    }

    /// Verifies the app proof if the project requires one at sign-up. Call it after the client has been admitted: it
    /// may call a provider.
    func requireAppProof(_ request: AppProofRequest?) throws(SignUpRefusal) {
        guard project.requiresAppProofAtSignUp else { return }
        guard let request else { throw .appNotProven(.missing) }
        do {
            _ = try prove(request)
        } catch {
            switch error {
            case .failed(let failure): throw .appNotProven(failure)
            case .unavailable(let store): throw .failed(.unavailable(store))
            }
        }
    }

    /// Does work that may create an account. Takes the count back if the work is known to have created no account.
    func creatingAccount<Value>(
        by work: ClientWork...,
        creating create: () throws(SignUpRefusal) -> Value
    ) throws(SignUpRefusal) -> Value {
        let refund = try SignUpRefusal.wrapping(failureOf: admit(work))
        do {
            return try create()
        } catch {
            // If this fails, the limits count one account too many until their window has passed.
            if let refund, !error.mayHaveCreatedAccount {
                bestEffort("take an account's count back", try store.refund(refund, now: now.milliseconds))
            }
            throw error
        }
    }
}

extension SignUpRefusal {
    /// Whether an account may exist although the client did not receive it.
    fileprivate var mayHaveCreatedAccount: Bool {
        switch self {
        case .anonymousSignInDisabled, .credential, .displayNameTooLong, .appNotProven: false
        case .accountDisabled: true
        case .failed(let failure):
            switch failure {
            case .passwordNotHashed, .notAdmitted, .blocked: false
            case .unavailable, .interrupted, .contended, .cryptographyFailed: true
            }
        }
    }
}
