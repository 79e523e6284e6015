import RedisScripts
import Testing

@testable import PhoneAuth

extension OperationContext {
    /// Requests a verification code. Another `client` is another network address.
    func send(
        to number: String,
        client: Int = 1,
        address: String? = nil,
        provenBy credential: AppCredential = .absent,
        from bundleID: String? = nil,
        channel: MessageChannel? = nil,
        request id: String = "r"
    ) -> SendOutcome {
        send(
            to: number,
            client: client,
            address: address,
            provenBy: credential,
            by: bundleID.map { .iOS(bundleID: $0) } ?? .web,
            channel: channel,
            request: id
        )
    }

    /// Requests a verification code from any app.
    func send(
        to number: String,
        client: Int = 1,
        address: String? = nil,
        provenBy credential: AppCredential,
        by app: ClientApp,
        channel: MessageChannel? = nil,
        request id: String = "r"
    ) -> SendOutcome {
        let request = SendVerificationCodeRequest(
            phoneNumber: number,
            credential: credential,
            app: app,
            client: .network(address: address ?? "192.0.2.\(client)", apiKey: "key"),
            locale: "",
            channel: channel
        )
        do {
            let sent = try repeating(id).sendVerificationCode(request)
            return .sent(sent.sessionInfo, sent.outcome)
        } catch {
            switch error {
            case .phoneSignInDisabled: return .phoneSignInDisabled
            case .regionNotAllowed(let refusal, _): return .regionNotAllowed(refusal)
            case .secondFactorUser: return .secondFactorUser
            case .limited(let refusal, _):
                let exceeded = refusal.exceeded
                guard exceeded.limit.scope == .number else { return .exceeded(exceeded) }
                let window = Duration.milliseconds(exceeded.limit.window.milliseconds)
                return .limited(window: window, retryAfter: exceeded.retryAfter)
            case .steppedUp(let stepUp, _): return .steppedUp(stepUp)
            case .channelNotAvailable(let channel, _): return .channelNotAvailable(channel)
            case .appNotProven(let failure, _): return .notProven(failure)
            case .numberInvalid(let reason): return .numberInvalid(reason)
            case .unavailable, .internalFailure: return .failed("\(error)")
            }
        }
    }

    /// Opens a session, which must succeed, and returns its `sessionInfo`.
    func session(for number: String, client: Int = 1) throws -> String {
        try #require(send(to: number, client: client).sessionInfo)
    }

    /// Returns the code that the message of this session contains.
    func code(of sessionInfo: String) throws -> String {
        let ticket = try #require(VerificationTicket(sessionInfo, in: project, keys))
        return VerificationCode(of: ticket, under: keys).digits
    }

    /// Returns six digits that are not the session's code.
    func wrongCode(of sessionInfo: String) throws -> String {
        try code(of: sessionInfo) == "111111" ? "222222" : "111111"
    }

    func answer(_ sessionInfo: String, _ code: String, request: String) -> SignInOutcome {
        answer(SignInWithPhoneNumberRequest(sessionInfo: sessionInfo, code: code), request: request)
    }

    /// Submits a code or a proof. Without an id, each session and each proof has its own request.
    func answer(_ request: SignInWithPhoneNumberRequest, request id: String? = nil) -> SignInOutcome {
        do {
            let signedIn = try repeating(id ?? request.evidence.request).signInWithPhoneNumber(request)
            return .signedIn(uid: signedIn.uid, isNew: signedIn.isNewUser)
        } catch {
            switch error {
            case .code(.sessionInfoUnknown): return .unknownSession
            case .code(.sessionEnded(let used, _)): return used ? .used : .expired
            case .code(.codeWrong(let attemptsLeft, _)): return .wrong(attemptsLeft: attemptsLeft)
            case .code(.attemptsSpent): return .spent
            case .code(.tooManyWrongCodes(let block, _)):
                return .blocked(isOfClient: block.isOfClient, retryAfter: block.retryAfter)
            case .code(.failed(.blocked(let refusal))): return .hook(HookOutcome(refusal))
            case .code(.failed): return .failed("\(error)")
            case .secondFactorUser: return .secondFactorUser
            case .phoneSignInDisabled: return .phoneSignInDisabled
            case .accountDisabled: return .disabled
            case .accountUnknown: return .noAccount
            case .temporaryProofInvalid: return .invalidProof
            case .notAuthenticated(.signInTooOld, _): return .signInTooOld
            case .notAuthenticated(let refusal, _): return .notAuthenticated(LookupOutcome(refusal))
            case .numberOfAnotherAccount(_, let proof): return .numberOfAnother(proof)
            case .numberExists: return .numberExists
            case .failed(.blocked(let refusal)): return .hook(HookOutcome(refusal))
            case .numberRecycled: return .recycled
            case .failed: return .failed("\(error)")
            }
        }
    }

    func signIn(
        _ sessionInfo: String,
        _ code: String,
        request: String
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        try repeating(request).signInWithPhoneNumber(
            SignInWithPhoneNumberRequest(sessionInfo: sessionInfo, code: code)
        )
    }

    /// Opens a session for a number and submits the correct code.
    func signIn(_ number: String, client: Int = 1) throws -> SignedIn {
        let session = try session(for: number, client: client)
        return try signIn(session, try code(of: session), request: "r-\(session)")
    }

    func refresh(_ token: String) -> RefreshOutcome {
        do {
            return .refreshed(uid: try exchangeRefreshToken(token).uid)
        } catch {
            switch error {
            case .tokenMalformed: return .malformed
            case .tokenUnknown: return .unknown
            case .accountDisabled: return .disabled
            case .accountUnknown: return .noAccount
            case .tokenRevoked: return .revoked
            case .tokenReused: return .reused
            case .secondFactorMissing: return .secondFactorMissing
            case .failed: return .failed("\(error)")
            }
        }
    }

    /// Returns the user of an ID token, which must not be revoked, not even a moment ago.
    func look(up idToken: String) -> LookupOutcome {
        do {
            return .found(uid: try identify(idToken: idToken).account.uid)
        } catch {
            return LookupOutcome(error)
        }
    }
}

extension SignInWithPhoneNumberRequest.Evidence {
    /// The default request id for this evidence.
    var request: String {
        switch self {
        case .code(let sessionInfo, _): "r-\(sessionInfo)"
        case .temporaryProof(let proof, _): "r-\(proof)"
        }
    }
}
