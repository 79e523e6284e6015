public import Encodings
public import PhoneNumbers

/// A proof of a phone number, and its purpose.
public struct SignInWithPhoneNumberRequest: Sendable, Confidential {
    /// The proof of the phone number.
    public enum Evidence: Sendable {
        /// The response to a verification session: the session info from ``OperationContext/sendVerificationCode(_:)``
        /// and the code that the user entered.
        case code(sessionInfo: String, code: String)
        /// The temporary proof that an earlier request received because the number belonged to another account.
        case temporaryProof(String, phoneNumber: String)
    }

    /// The purpose of the proof.
    public enum Operation: Sendable {
        /// Signs in, creating an account if the number has none; or, with an ID token, links the number to the token's
        /// account.
        case signUpOrIn
        /// Reauthenticates the user of an existing account.
        case reauthenticate
    }

    /// The proof of the phone number.
    public var evidence: Evidence
    /// The ID token of the account that the number is linked to.
    public var idToken: String?
    /// The purpose of the proof.
    public var operation: Operation
    /// The client that sends the request; only blocking hooks receive it.
    public var client = ClientDescription()

    /// Creates a request with the code of a verification session.
    public init(sessionInfo: String, code: String) {
        self.init(.code(sessionInfo: sessionInfo, code: code))
    }

    /// Creates a request with any evidence.
    public init(
        _ evidence: Evidence,
        idToken: String? = nil,
        operation: Operation = .signUpOrIn
    ) {
        self.evidence = evidence
        self.idToken = idToken
        self.operation = operation
    }
}

/// The result of a phone sign-in.
public struct SignedIn: Sendable, Confidential {
    /// The ID token, which proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token, which is exchanged for new ID tokens.
    public let refreshToken: String
    /// The account's `localId`.
    public let uid: String
    /// Whether this sign-in created the account.
    public let isNewUser: Bool
    /// The phone number.
    public let phone: E164

    init(_ tokens: IssuedTokens, _ phone: E164) {
        idToken = tokens.idToken
        refreshToken = tokens.refreshToken
        uid = tokens.account.uid
        isNewUser = tokens.isNewUser
        self.phone = phone
    }
}

/// Why a proof of a phone number was not accepted for sign-in.
public enum SignInWithPhoneNumberRefusal: OperationRefusal {
    case code(VerificationCodeRefusal)
    /// The proof is not ours, has expired, was used before (replay), or is for another number.
    case temporaryProofInvalid
    case phoneSignInDisabled(E164)
    case notAuthenticated(IDTokenRefusal, E164)
    case accountDisabled(E164)
    /// The account has second factors: phone sign-in cannot request one.
    case secondFactorUser(E164)
    /// The number has no account, and the operation creates none.
    case accountUnknown(E164)
    /// The number may have been recycled: the account last proved it too long ago, and its user can sign in in another
    /// way.
    case numberRecycled(E164)
    /// The number was proven, but belongs to an account other than the ID token's; the temporary proof signs in to that
    /// account.
    case numberOfAnotherAccount(E164, temporaryProof: String)
    /// The number belongs to another account, and was already proven with a temporary proof.
    case numberExists(E164)
    case failed(OperationFailure)
}

extension OperationContext {
    /// Verifies a proof of a number and signs in to the number's account, creating the account if it does not exist.
    /// With an ID token, links the number to the token's account instead.
    ///
    /// - Throws: ``SignInWithPhoneNumberRefusal``. A wrong code counts as an attempt. A correct code is used up (single
    ///   use) even if the account is disabled or a hook denies the sign-in, but not if there is no room for a new
    ///   account. While hooks are ``BlockingHookRefusal/busy``, no code is verified or counted.
    public func signInWithPhoneNumber(
        _ request: SignInWithPhoneNumberRequest
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let hooks = hooks(for: request.client, .proven)
        let evidence = try read(request.evidence, callingHooks: hooks)
        let phone = evidence.phone
        guard project.isPhoneSignInEnabled else { throw .phoneSignInDisabled(phone) }
        let attempt = PhoneSignInAttempt(
            evidence: evidence,
            user: try authenticate(request, phone),
            hooks: hooks
        )
        switch request.operation {
        case .reauthenticate:
            return try reauthenticate(attempt, holding: try accept(attempt))
        case .signUpOrIn:
            if let user = attempt.user { return try link(attempt, to: user) }
            let hasRoom = try SignInWithPhoneNumberRefusal.wrapping(failureOf: hasRoomForAccount())
            guard hasRoom else { return try signInToExistingAccount(attempt) }
            let proposed = newClaim(attempt)
            let claim = try accept(attempt, claimUse: .proposed(proposed)) ?? proposed
            return try signIn(attempt, holding: claim, mayCreate: true)
        }
    }

    /// Signs in while there is no room for another account. The number's account is looked up before the code is
    /// verified, so the lookup does not depend on the code. A new user's correct code is not used up: it signs in once
    /// there is room.
    private func signInToExistingAccount(
        _ attempt: PhoneSignInAttempt
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let held = try heldClaim(attempt)
        guard let claim = try accept(attempt, claimUse: .required(held)) else {
            throw .failed(.notAdmitted(.memoryNearlyFull))
        }
        return try signIn(attempt, holding: claim, mayCreate: false)
    }

    /// Authenticates the ID token, if there is one. Freshness is checked before the code, so a rejected ID token uses
    /// up no attempt and the code stays valid.
    private func authenticate(
        _ request: SignInWithPhoneNumberRequest,
        _ phone: E164
    ) throws(SignInWithPhoneNumberRefusal) -> AuthenticatedUser? {
        guard let idToken = request.idToken else { return nil }
        let user: IdentifiedUser
        do { user = try identify(idToken: idToken) } catch { throw .notAuthenticated(error, phone) }
        guard project.secondFactors.state == .off || user.account.secondFactors.isEmpty else {
            throw .secondFactorUser(phone)
        }
        let operation: IDTokenOperation =
            switch request.operation {
            case .reauthenticate: .reauthenticate
            case .signUpOrIn:
                user.account.phoneNumber.map { $0 == phone.text } ?? true ? .linkPhoneNumber : .changePhoneNumber
            }
        do { return try authorize(user, for: [operation]) } catch { throw .notAuthenticated(error, phone) }
    }

    /// Returns a new claim of the attempt's number for an account that does not exist yet.
    private func newClaim(_ attempt: PhoneSignInAttempt) -> IdentifierClaim {
        newClaim(uid: AccountID.make(environment), ofTestNumber: attempt.identifier.isTestNumber)
    }

    /// Signs in to the number's account. A claim that leads to an account without the number is replaced, and a claim
    /// from another kind of proof as well. If the number is a user's, a test number's code is rejected. If it was a
    /// test number before, its test account loses it to the first user whom a message reaches there.
    private func signIn(
        _ attempt: PhoneSignInAttempt,
        holding first: IdentifierClaim,
        mayCreate: Bool
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let recycledNumbers = recycledNumberRule()
        var claim = first
        for _ in 0..<IdentifierClaim.attempts {
            guard attempt.mayUse(claim) else {
                let isHeld = try SignInWithPhoneNumberRefusal.wrapping(
                    failureOf: isHeld(
                        claim,
                        attempt.identifier,
                        losingNumberProvenBefore: claim.isOfTestNumber ? 0 : nil
                    )
                )
                guard !isHeld else { throw .code(.sessionEnded(used: false, attempt.phone)) }
                claim = try replaced(claim, attempt, mayCreate)
                continue
            }
            let maker = mayCreate ? attempt.evidence.name : ""
            switch try signInHolder(of: claim, attempt, maker: maker, recycledNumbers: recycledNumbers) {
            case .issued(let tokens): return SignedIn(tokens, attempt.phone)
            case .hindered(.noAccount), .hindered(.notHeld), .hindered(.exists):
                claim = try replaced(claim, attempt, mayCreate)
            case .hindered(let obstacle): throw SignInWithPhoneNumberRefusal(obstacle, attempt.phone)
            }
        }
        throw .failed(.interrupted)
    }

    /// Replaces a void claim of the number with a new one, and returns the current claim.
    private func replaced(
        _ void: IdentifierClaim,
        _ attempt: PhoneSignInAttempt,
        _ mayCreate: Bool
    ) throws(SignInWithPhoneNumberRefusal) -> IdentifierClaim {
        guard mayCreate else { throw .failed(.notAdmitted(.memoryNearlyFull)) }
        return try SignInWithPhoneNumberRefusal.wrapping(
            store.claimIdentifier(attempt.identity, newClaim(attempt), replacing: void)
        )
    }

    /// Signs in to the number's account only if it exists.
    private func reauthenticate(
        _ attempt: PhoneSignInAttempt,
        holding claim: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        guard let claim, attempt.mayUse(claim) else { throw .accountUnknown(attempt.phone) }
        if let user = attempt.user, !user.identity.uid.hasSameBytes(as: claim.uid) {
            guard try isHeld(claim, attempt) else { throw .accountUnknown(attempt.phone) }
            throw try refusalOfAnother(attempt)
        }
        // A user who signed in recently did so by another method, so they need no recycled-number check. An old ID
        // token may be stolen, so it does not count. Reauthentication creates no account, so the policy `fresh` is
        // treated as `ask`.
        let hasSignedInOtherwise = attempt.user.map { isRecent($0.session.signedInAt) } ?? false
        let rule = hasSignedInOtherwise ? nil : recycledNumberRule()
        let recycledNumbers = rule.map { RecycledNumberRule(.ask, provenBefore: $0.provenBefore) }
        switch try signInHolder(of: claim, attempt, maker: "", recycledNumbers: recycledNumbers) {
        case .issued(let tokens): return SignedIn(tokens, attempt.phone)
        case .hindered(let obstacle): throw SignInWithPhoneNumberRefusal(obstacle, attempt.phone)
        }
    }
}

extension SignInWithPhoneNumberRefusal {
    fileprivate init(_ obstacle: SignInObstacle, _ phone: E164) {
        self =
            switch obstacle {
            case .disabled: .accountDisabled(phone)
            case .recycled: .numberRecycled(phone)
            case .secondFactor(.required): .secondFactorUser(phone)
            case .noAccount, .notHeld, .exists: .accountUnknown(phone)
            case .token, .secondFactor(.refused): .failed(.interrupted)
            }
    }
}
