internal import Encodings
public import PhoneNumbers
internal import RedisStore

/// Why a proof did not sign in.
public enum SignInWithPhoneNumberRefusal: Error {
    case code(VerificationCodeRefusal)
    /// It is not ours, its time is up, it has been used, or it is another number's.
    case temporaryProofInvalid
    case phoneSignInDisabled(E164)
    case notAuthenticated(IDTokenRefusal, E164)
    case accountDisabled(E164)
    /// The account has second factors: who signs in by phone cannot be asked for one.
    case secondFactorUser(E164)
    /// The number has no account, and is not to get one.
    case accountUnknown(E164)
    /// It may have another holder by now: the account last proved it too long ago, and its user can sign in in another way.
    case numberRecycled(E164)
    /// It was proven, but is another account's than the ID token's; this proof signs in to that one.
    case numberOfAnotherAccount(E164, temporaryProof: String)
    /// The same, proven by such a proof already.
    case numberExists(E164)
    case failed(OperationFailure)
}

extension Authenticator {
    /// Takes proof of a number and signs in: the number's account, making it where there is none; or, with an ID token, that
    /// token's account, which gets the number.
    ///
    /// - Throws: ``SignInWithPhoneNumberRefusal``. A wrong code counts as an attempt; a right one uses the session up even
    ///   if the account turns out to be disabled or a hook denies the sign-in, but not if there is no room for a new
    ///   account. While hooks are ``BlockingHookRefusal/busy``, no code is verified or counted.
    public func signInWithPhoneNumber(
        _ request: SignInWithPhoneNumberRequest,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let hooks = hooks(for: request.client, .proven, in: project)
        let evidence = try read(request.evidence, askingHooks: hooks, in: project)
        let phone = evidence.phone
        guard project.isPhoneSignInEnabled else { throw .phoneSignInDisabled(phone) }
        let attempt = PhoneSignIn(
            evidence: evidence,
            user: try authenticate(request, phone, in: project),
            requestID: request.requestID,
            project: project,
            hooks: hooks,
            now: environment.now()
        )
        switch request.operation {
        case .reauthenticate:
            return try reauthenticate(attempt, holding: try accept(attempt))
        case .signUpOrIn:
            if let user = attempt.user { return try link(attempt, to: user) }
            let hasRoom: Bool
            do { hasRoom = try hasRoomForAccount() } catch { throw .failed(error) }
            guard hasRoom else { return try signInToExistingAccount(attempt) }
            let proposed = newClaim(uid: AccountID.make(environment), at: attempt.now)
            let claim = try accept(attempt, claimUse: .proposed(proposed)) ?? proposed
            return try signIn(attempt, holding: claim, mayCreate: true)
        }
    }

    /// Signs in while there is no room for another account. The number's account is looked up before the code is
    /// verified, and whatever the code is. A newcomer's correct code is not used up: it signs in once there is room.
    private func signInToExistingAccount(
        _ attempt: PhoneSignIn
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let held = try heldClaim(attempt)
        guard let claim = try accept(attempt, claimUse: .required(held)) else {
            throw .failed(.notAdmitted(.memoryNearlyFull))
        }
        return try signIn(attempt, holding: claim, mayCreate: false)
    }

    /// The freshness is checked before the code, so a refusal uses no attempt and keeps the code valid.
    private func authenticate(
        _ request: SignInWithPhoneNumberRequest,
        _ phone: E164,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> AuthenticatedUser? {
        guard let idToken = request.idToken else { return nil }
        let user: IdentifiedUser
        do { user = try identify(idToken: idToken, in: project) } catch { throw .notAuthenticated(error, phone) }
        guard project.secondFactors.state == .off || user.account.secondFactors.isEmpty else {
            throw .secondFactorUser(phone)
        }
        let operation: IDTokenOperation =
            switch request.operation {
            case .reauthenticate: .reauthenticate
            case .signUpOrIn:
                user.account.phoneNumber.map { $0 == phone.text } ?? true ? .linkPhoneNumber : .changePhoneNumber
            }
        do { return try authorize(user, for: [operation], in: project) } catch { throw .notAuthenticated(error, phone) }
    }

    /// Signs the number's account in. A claim that leads to an account that does not hold it is replaced.
    private func signIn(
        _ attempt: PhoneSignIn,
        holding first: IdentifierClaim,
        mayCreate: Bool
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let recycledNumbers = recycledNumberRule(in: attempt.project, attempt.now)
        var claim = first
        for _ in 0..<Policy.claimAttempts {
            let maker = mayCreate ? attempt.evidence.name : ""
            switch try issueTokens(attempt, claim, maker: maker, recycledNumbers: recycledNumbers) {
            case .issued(let tokens): return SignedIn(tokens, attempt.phone)
            case .disabled: throw .accountDisabled(attempt.phone)
            case .recycled: throw .numberRecycled(attempt.phone)
            case .secondFactorRequired: throw .secondFactorUser(attempt.phone)
            case .tokenRevoked, .signInTooOld, .secondFactorRefused: throw .failed(.interrupted)
            case .noAccount, .notHeld, .exists:
                guard mayCreate else { throw .failed(.notAdmitted(.memoryNearlyFull)) }
                let next = newClaim(uid: AccountID.make(environment), at: attempt.now)
                do {
                    claim = try store.claimIdentifier(attempt.identity, next, replacing: claim)
                } catch {
                    throw .failed(.unavailable(error))
                }
            }
        }
        throw .failed(.interrupted)
    }

    /// Signs the number's account in only if there is one.
    private func reauthenticate(
        _ attempt: PhoneSignIn,
        holding claim: IdentifierClaim?
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        guard let claim else { throw .accountUnknown(attempt.phone) }
        if let user = attempt.user, user.identity.uid != claim.uid {
            guard try isHeld(claim, attempt) else { throw .accountUnknown(attempt.phone) }
            throw try attempt.refusalOfAnother(self)
        }
        // A user who signed in just now did so in another way. An old ID token may be stolen and does not replace the
        // password. Reauthentication creates no account, so the policy `fresh` asks as well.
        let hasSignedInOtherwise = attempt.user.map { isRecent($0.session.signedInAt) } ?? false
        let rule = hasSignedInOtherwise ? nil : recycledNumberRule(in: attempt.project, attempt.now)
        let recycledNumbers = rule.map { RecycledNumberRule(.ask, provenBefore: $0.provenBefore) }
        switch try issueTokens(attempt, claim, maker: "", recycledNumbers: recycledNumbers) {
        case .issued(let tokens): return SignedIn(tokens, attempt.phone)
        case .disabled: throw .accountDisabled(attempt.phone)
        case .recycled: throw .numberRecycled(attempt.phone)
        case .secondFactorRequired: throw .secondFactorUser(attempt.phone)
        case .tokenRevoked, .signInTooOld, .secondFactorRefused: throw .failed(.interrupted)
        case .noAccount, .notHeld, .exists: throw .accountUnknown(attempt.phone)
        }
    }
}
