internal import PhoneAuth
internal import PhoneNumbers

// Handlers turn the refusal of an operation into the protocol's error, in one expression:
//
//     let account = try IDTokenRefusal.onWire(call.operation.lookUpAccount(idToken: idToken))
//     let sent = try SendVerificationCodeRefusal.onWire(for: call, call.operation.sendVerificationCode(request))

/// A refusal whose error on the wire is the same for every caller.
protocol WireRefusal: Error {
    var wire: WireError { get }
}

extension WireRefusal {
    /// Performs an operation; its refusal becomes the protocol's error.
    @discardableResult
    static func onWire<Value>(_ operation: @autoclosure () throws(Self) -> Value) throws(WireError) -> Value {
        do { return try operation() } catch { throw error.wire }
    }
}

/// A refusal whose error depends on the calling app, or which has a phone number for the log.
protocol CallRefusal: Error {
    var phone: E164? { get }

    func wire(for call: Call) -> WireError
}

extension CallRefusal {
    /// Performs an operation; its refusal becomes the protocol's error, and its phone number is logged.
    static func onWire<Value>(
        for call: Call,
        _ operation: @autoclosure () throws(Self) -> Value
    ) throws(WireError) -> Value {
        do {
            return try operation()
        } catch {
            call.record.phone = error.phone
            throw error.wire(for: call)
        }
    }
}

extension StoreUnavailable: WireRefusal {
    var wire: WireError { .unavailable(logDetail: "\(self)") }
}

extension IDTokenRefusal: WireRefusal {
    /// The protocol's error, the same on every path that takes an ID token.
    var wire: WireError {
        switch self {
        case .tokenInvalid: .code(.invalidIDToken)
        case .accountUnknown: .code(.userNotFound)
        case .accountDisabled: .code(.userDisabled)
        case .tokenRevoked: .code(.tokenExpired)
        // SDKs make the user sign in again.
        case .signInTooOld: .code(.credentialTooOldLoginAgain)
        case .unavailable(let store): store.wire
        }
    }
}

extension OperationFailure: WireRefusal {
    var wire: WireError {
        switch self {
        case .unavailable(let store): store.wire
        case .interrupted: .unavailable(logDetail: "the account or one of its identifiers changed concurrently")
        case .contended: .aborted
        case .cryptographyFailed: .internalError(logDetail: "sealing or signing failed")
        case .passwordNotHashed(let error):
            .unavailable(logDetail: "the password was not hashed: \(error.map { "\($0)" } ?? "no hashing threads")")
        case .notAdmitted(let refusal): refusal.wire
        case .blocked(let refusal): refusal.wire
        }
    }
}

extension AdmissionRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .limited(let refusal):
            .limited(refusal.errorCode, retryAfter: refusal.retryAfter, logDetail: description)
        case .memoryNearlyFull:
            .limited(.quotaExceeded, retryAfter: Self.fullMemoryRetry, logDetail: description)
        }
    }
}

extension CredentialRefusal: WireRefusal {
    /// The protocol's error, the same wherever an account gets an e-mail address or a password.
    var wire: WireError {
        switch self {
        case .passwordSignInDisabled:
            .code(.operationNotAllowed, logDetail: "sign-in with a password is disabled")
        case .emailMissing: .code(.missingEmail)
        case .emailInvalid: .code(.invalidEmail)
        case .emailExists: .code(.emailExists)
        case .passwordTooShort:
            .code(
                .weakPassword,
                "Password should be at least \(CredentialRefusal.minimumPasswordCharacters) characters"
            )
        case .passwordTooLong:
            .code(.weakPassword, "Password should be at most \(CredentialRefusal.maximumPasswordBytes) bytes")
        }
    }
}

extension CustomClaimsError: WireRefusal {
    /// The protocol's error, the same wherever claims are set.
    var wire: WireError {
        switch self {
        case .tooLarge: .code(.claimsTooLarge)
        case .malformed: .code(.invalidClaims)
        case .reserved(let name): .code(.forbiddenClaim, name)
        }
    }
}

extension UpdateAccountRefusal: WireRefusal {
    /// The protocol's error, also for a sign-up that adds a password to an account.
    var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .credential(let refusal): refusal.wire
        case .displayNameTooLong: .displayNameTooLong
        case .photoURLTooLong: .photoURLTooLong
        case .failed(let failure): failure.wire
        }
    }
}
