public import PhoneNumbers
public import RedisStore

/// A wish to have a code sent.
public struct SendVerificationCodeRequest: Sendable, Confidential {
    /// The number as the user gave it.
    public var phoneNumber: String
    /// What proves the app.
    public var credential: AppCredential
    /// The bundle id that the request names; nil where it comes from no iOS app.
    public var bundleID: String?
    /// Who asks.
    public var client: ClientBinding
    /// The languages of the message, as the client names them.
    public var locale: String
    /// The front end's name for the request, the same when it repeats it.
    public var requestID: String

    /// A wish to have a code sent.
    public init(
        phoneNumber: String,
        credential: AppCredential,
        bundleID: String?,
        client: ClientBinding,
        locale: String,
        requestID: String
    ) {
        self.phoneNumber = phoneNumber
        self.credential = credential
        self.bundleID = bundleID
        self.client = client
        self.locale = locale
        self.requestID = requestID
    }
}

/// A session that waits for its code.
public struct SentVerificationCode: Sendable, Confidential {
    /// What happened to reach it.
    public enum Outcome: String, Sendable {
        /// A new session; its message is queued.
        case opened
        /// The client's earlier session; its message is queued once more.
        case resent
        /// The client's earlier session, within the reentrancy time; no message.
        case reentered
        /// A test number's session; no message.
        case testNumber = "test-number"
    }

    /// What the client hands back with the code.
    public let sessionInfo: String
    /// The number.
    public let phone: E164
    /// What happened.
    public let outcome: Outcome
}

/// Why a verification code was not sent. Each case names what the caller can do about it.
public enum SendVerificationCodeRefusal: Error {
    case numberInvalid(PhoneNumberError)
    case appNotProven(AppProofFailure, E164)
    case tooManySends(window: Duration, retryAfter: Duration, E164)
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension Authenticator {
    /// Opens a verification session and queues its message, or returns the session that this client has already.
    ///
    /// - Throws: ``SendVerificationCodeRefusal``; then nothing has changed.
    public func sendVerificationCode(
        _ request: SendVerificationCodeRequest,
        in project: Project
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        let phone = try parse(request.phoneNumber)
        let isTestNumber = try knownTestNumbers(of: project)[phone.text] != nil
        let proof = isTestNumber ? AppProof(grounds: .testNumber) : try prove(request, for: phone, in: project)
        return try openSession(for: phone, provenBy: proof, request, in: project)
    }

    private func parse(_ text: String) throws(SendVerificationCodeRefusal) -> E164 {
        do {
            return try phoneNumbers.parse(text)
        } catch {
            throw .numberInvalid(error)
        }
    }

    private func knownTestNumbers(of project: Project) throws(SendVerificationCodeRefusal) -> [String: VerificationCode]
    {
        do {
            return try projectSettings.settings(of: project, from: self).testNumbers
        } catch {
            throw .unavailable(error)
        }
    }

    private func prove(
        _ request: SendVerificationCodeRequest,
        for phone: E164,
        in project: Project
    ) throws(SendVerificationCodeRefusal) -> AppProof {
        do {
            return try prove(request, in: project)
        } catch {
            switch error {
            case .failed(let failure): throw .appNotProven(failure, phone)
            case .unavailable(let store): throw .unavailable(store)
            }
        }
    }

    private func openSession(
        for phone: E164,
        provenBy proof: AppProof,
        _ request: SendVerificationCodeRequest,
        in project: Project
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        let identity = identity(of: phone.text, in: project)
        guard let id = SessionID(shard: identity.shard, bytes: environment.randomBytes(SessionID.byteCount)) else {
            throw .internalFailure
        }
        let codeSource: CodeSource = proof.grounds == .testNumber ? .testNumber : .derived
        let ticket = SessionTicket(id: id, purpose: .signIn, codeSource: codeSource, phoneNumber: phone.text)
        let outcome: SessionOpening.Outcome
        let sealedNumber: [UInt8]
        do {
            sealedNumber = try ticket.seal(in: project, keys, environment)
            outcome = try store.openSession(
                SessionOpening(
                    id: id,
                    phone: identity,
                    sealedNumber: sealedNumber,
                    binding: proof.binding(of: request.client).hash(for: ticket.purpose, in: project, keys),
                    purpose: ticket.purpose.rawValue,
                    codeSource: codeSource.rawValue,
                    locale: request.locale,
                    now: environment.now().milliseconds,
                    lockMilliseconds: policy.lockLifetime.milliseconds,
                    sessionMilliseconds: policy.sessionLifetime.milliseconds,
                    attempts: policy.attemptsPerSession,
                    leastLifeToResendMilliseconds: policy.leastLifeToResend.milliseconds,
                    sendLimits: [
                        .init(windowMilliseconds: 3_600_000, maximum: policy.sendsPerNumberPerHour),
                        .init(windowMilliseconds: 86_400_000, maximum: policy.sendsPerNumberPerDay),
                    ]
                )
            )
        } catch let error as StoreUnavailable {
            throw .unavailable(error)
        } catch {
            throw .internalFailure
        }
        switch outcome {
        case .opened:
            return SentVerificationCode(
                sessionInfo: ticket.text(sealedNumber: sealedNumber),
                phone: phone,
                outcome: codeSource == .testNumber ? .testNumber : .opened
            )
        case .resent(let earlier, let sealedNumber):
            return sent(earlier, sealedNumber, ticket, phone, .resent)
        case .reentered(let earlier, let sealedNumber):
            return sent(earlier, sealedNumber, ticket, phone, .reentered)
        case .limited(let windowMilliseconds, let retryAfterMilliseconds):
            throw .tooManySends(
                window: .milliseconds(windowMilliseconds),
                retryAfter: .milliseconds(retryAfterMilliseconds),
                phone
            )
        }
    }

    private func sent(
        _ earlier: SessionID,
        _ sealedNumber: [UInt8],
        _ ticket: SessionTicket,
        _ phone: E164,
        _ outcome: SentVerificationCode.Outcome
    ) -> SentVerificationCode {
        let earlierTicket = SessionTicket(
            id: earlier,
            purpose: ticket.purpose,
            codeSource: ticket.codeSource,
            phoneNumber: ticket.phoneNumber
        )
        return SentVerificationCode(
            sessionInfo: earlierTicket.text(sealedNumber: sealedNumber),
            phone: phone,
            outcome: ticket.codeSource == .testNumber ? .testNumber : outcome
        )
    }
}
