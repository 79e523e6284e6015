public import PhoneNumbers
public import RedisStore

/// A wish to have a code sent.
public struct SendVerificationCodeRequest: Sendable, Confidential {
    /// The number as the user gave it.
    public var phoneNumber: String
    /// What proves the app.
    public var credential: AppCredential
    /// Who asks.
    public var client: ClientBinding
    /// The language of the message, a BCP 47 tag; nil for the default.
    public var locale: String?

    /// A wish to have a code sent.
    public init(phoneNumber: String, credential: AppCredential, client: ClientBinding, locale: String?) {
        self.phoneNumber = phoneNumber
        self.credential = credential
        self.client = client
        self.locale = locale
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
        let proof = isTestNumber ? .testNumber : try prove(request.credential, phone)
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

    private func prove(_ credential: AppCredential, _ phone: E164) throws(SendVerificationCodeRefusal) -> AppProof {
        do {
            return try appVerification.prove(credential)
        } catch {
            throw .appNotProven(error, phone)
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
                    binding: request.client.hash(for: ticket.purpose, in: project, keys),
                    purpose: ticket.purpose.rawValue,
                    codeSource: codeSource.rawValue,
                    locale: request.locale ?? "",
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
