public import Encodings
public import MessageTexts
public import PhoneNumbers
public import RedisScripts

/// A request to send a verification code.
public struct SendVerificationCodeRequest: Sendable, Confidential {
    /// The phone number as the user entered it.
    public var phoneNumber: String
    /// The credential that proves the app.
    public var credential: AppCredential
    /// The app that sends the request.
    public var app: ClientApp
    /// The client that sends the request.
    public var client: ClientBinding
    /// The languages of the message, as the client specifies them.
    public var locale: String
    /// The machine-readable last line of the message (WebOTP or SMS Retriever autofill); nil for none.
    public var ending: MessageEnding?
    /// The channel that the user requests; nil for the number's usual one.
    public var channel: MessageChannel?

    /// Creates a request to send a verification code.
    public init(
        phoneNumber: String,
        credential: AppCredential,
        app: ClientApp,
        client: ClientBinding,
        locale: String,
        ending: MessageEnding? = nil,
        channel: MessageChannel? = nil
    ) {
        self.phoneNumber = phoneNumber
        self.credential = credential
        self.app = app
        self.client = client
        self.locale = locale
        self.ending = ending
        self.channel = channel
    }
}

/// A verification session that waits for its code.
public struct SentVerificationCode: Sendable, Confidential {
    /// How the session was obtained.
    public enum Outcome: String, Sendable {
        /// A new session; its message is queued.
        case opened
        /// The client's earlier session; its message is queued once more.
        case resent
        /// The client's earlier session, within ``Policy/lockLifetime``; no message.
        case reentered
        /// A test number's session; no message.
        case testNumber = "test-number"
    }

    /// The session's ticket, which the client returns with the code.
    public let sessionInfo: String
    /// The phone number.
    public let phone: E164
    /// How the session was obtained.
    public let outcome: Outcome
    /// The channels by which the number can get a code; empty if it has fewer than two gateways.
    public let channels: [MessageChannel]
}

/// Why a verification code was not sent. Each case names what the caller can do about it.
public enum SendVerificationCodeRefusal: StoreRefusal {
    case numberInvalid(PhoneNumberError)
    case phoneSignInDisabled(E164)
    case regionNotAllowed(SMSRegionRefusal, E164)
    /// The number's account has second factors: phone sign-in cannot request one.
    case secondFactorUser(E164)
    case appNotProven(AppProofFailure, E164)
    case limited(RateLimitRefusal, E164)
    /// Suspected SMS pumping: too few of the codes sent to neighboring numbers are entered, or too much was spent on
    /// the region today. New clients must solve the hard challenge, or are sent no code. Above the spending cap, no
    /// client is sent a code.
    case steppedUp(StepUp, E164)
    /// The number's route has no gateway of the channel that the user requests.
    case channelNotAvailable(MessageChannel, E164)
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension OperationContext {
    /// How long a client waits before it requests the same code again: an earlier request returns the open session
    /// and sends no message.
    public var resendDelay: Duration { policy.lockLifetime }

    /// Opens a verification session and queues its message, or returns the session that this client already has.
    ///
    /// - Throws: ``SendVerificationCodeRefusal``; then nothing has changed.
    public func sendVerificationCode(
        _ request: SendVerificationCodeRequest
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        let phone = try parse(request.phoneNumber)
        guard project.isPhoneSignInEnabled else { throw .phoneSignInDisabled(phone) }
        return try sendVerificationCode(to: phone, request, for: .signIn)
    }

    /// Opens a session for any purpose. `isOfAccount` is true if the request carries an ID token of the account that
    /// has the number. A message is sent even to a test number unless its fixed code may prove what the session is for.
    func sendVerificationCode(
        to phone: E164,
        _ request: SendVerificationCodeRequest,
        for scope: VerificationScope,
        isOfAccount: Bool = false,
        mayBeTestNumber: Bool = true
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        let number = try admit(phone, mayBeTestNumber: mayBeTestNumber)
        let proof =
            number.codeSource == .testNumber
            ? try proveForTestNumber(request, phone, scope) : try prove(request, for: phone, scope)
        // Only the operator's own apps learn whether a number has second factors: without app proof anyone could
        // enumerate users.
        if scope.purpose == .signIn, try hasSecondFactors(number) { throw .secondFactorUser(phone) }
        return try resumed().openVerification(for: number, provenBy: proof, scope, request, isOfAccount: isOfAccount)
    }

    func parse(_ text: String) throws(SendVerificationCodeRefusal) -> E164 {
        do {
            return try phoneNumbers.parse(text)
        } catch {
            throw .numberInvalid(error)
        }
    }

    private func admit(
        _ phone: E164,
        mayBeTestNumber: Bool
    ) throws(SendVerificationCodeRefusal) -> AdmittedNumber {
        let testNumbers = try SendVerificationCodeRefusal.wrapping(
            mayBeTestNumber ? usableTestNumbers(for: phone) : [:]
        )
        do {
            return try project.admit(phone, testNumbers: testNumbers)
        } catch {
            throw .regionNotAllowed(error, phone)
        }
    }

    /// Returns whether the number's account has second factors. Costs two round trips if the project's users may have
    /// second factors, otherwise none.
    private func hasSecondFactors(_ number: AdmittedNumber) throws(SendVerificationCodeRefusal) -> Bool {
        guard project.secondFactors.state != .off else { return false }
        // The sign-in may take a recycled number from an account that last proved the number too long ago.
        if recycledNumberRule()?.answer == .fresh { return false }
        let holder = try SendVerificationCodeRefusal.wrapping(holder(of: identity(of: number.phone.text)))
        guard let holder, holder.claim.isOfTestNumber == (number.codeSource == .testNumber) else { return false }
        return !holder.record.secondFactors.isEmpty
    }

    /// Verifies the app of a send to a test number if the project requires it. Without proof, the refusal is that of
    /// any other number of the region, so that responses do not reveal test numbers.
    private func proveForTestNumber(
        _ request: SendVerificationCodeRequest,
        _ phone: E164,
        _ scope: VerificationScope
    ) throws(SendVerificationCodeRefusal) -> AppProof {
        guard project.requiresAppProofForTestNumbers else { return AppProof(grounds: .testNumber) }
        do {
            return try prove(request, for: phone, scope)
        } catch .appNotProven(let failure, let phone) {
            do { _ = try project.admit(phone, testNumbers: [:]) } catch { throw .regionNotAllowed(error, phone) }
            throw .appNotProven(failure, phone)
        }
    }

    private func prove(
        _ request: SendVerificationCodeRequest,
        for phone: E164,
        _ scope: VerificationScope
    ) throws(SendVerificationCodeRefusal) -> AppProof {
        var proof = AppProofRequest(
            credential: request.credential,
            app: request.app,
            networkAddress: request.client.networkAddress
        )
        // The app knows the number as the user entered it. Of a second factor's number it knows only a part, and the
        // message does not go to the number in the request.
        let known = scope.purpose == .secondFactorSignIn ? SecondFactor.obfuscated(phone.text) : request.phoneNumber
        proof.subjects = [phone.text, known]
        do {
            return try prove(proof)
        } catch {
            switch error {
            case .failed(let failure): throw .appNotProven(failure, phone)
            case .unavailable(let store): throw .unavailable(store)
            }
        }
    }
}

extension Project {
    /// Returns the number of SMS segments of the message that a send queues. It does not depend on the code, so the
    /// send counts the price of the message that the dispatcher sends.
    func segments(of request: SendVerificationCodeRequest) -> Int {
        let anyCode = String(repeating: "0", count: VerificationCode.digitCount)
        return message(code: anyCode, locale: request.locale, ending: request.ending).size.segments
    }
}
