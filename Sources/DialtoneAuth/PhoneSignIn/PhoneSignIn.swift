public import Foundation

/// The steps of a sign-in by phone: the number, then the code. A view shows its ``state`` and calls its functions, as
/// `PhoneSignInView` does for SwiftUI.
///
/// A call while another call is in progress does nothing, so tapping a button twice sends one message.
@MainActor public final class PhoneSignIn {
    /// The state that a view shows.
    public struct State: Sendable, Equatable {
        /// The step of the sign-in.
        public enum Step: Sendable, Equatable {
            /// The user enters the number.
            case number
            /// The user enters the code that was sent to a number.
            case code(sentTo: String)
            /// The user is signed in.
            case signedIn
        }

        /// The operation in progress.
        public enum Activity: Sendable, Equatable {
            case sending, resending, verifying
        }

        /// The step of the sign-in.
        public internal(set) var step = Step.number
        /// The operation in progress; nil if there is none.
        public internal(set) var activity: Activity?
        /// Why the last call failed; nil if it succeeded.
        public internal(set) var problem: PhoneSignInProblem?
        /// The wait before another message can be sent; nil if there is none.
        public internal(set) var resendWait: Wait?
        /// The regions to which the project sends messages, sorted by name. Empty until ``PhoneSignIn/loadRegions()``
        /// has loaded them.
        public internal(set) var regions: [PhoneSignInRegion] = []
        /// The region that the user has chosen for numbers without a country code; nil for the app's default or the
        /// region of the device's locale.
        public internal(set) var region: PhoneSignInRegion?

        init() {}

        /// Returns the state of a sign-in in another step.
        func at(_ step: Step) -> State {
            var state = State()
            (state.step, state.regions, state.region) = (step, regions, region)
            return state
        }
    }

    /// A wait that the server requires, measured by the device's clock.
    public struct Wait: Sendable, Equatable {
        let since: Date
        let seconds: TimeInterval

        /// Returns how many seconds are left, rounded up. If the clock was set back meanwhile, the wait is over: the
        /// server uses its own clock.
        public func remaining(at now: Date) -> Int {
            let passed = now.timeIntervalSince(since)
            return passed < 0 ? 0 : Int(max(0, seconds - passed).rounded(.up))
        }
    }

    /// The current state.
    public private(set) var state = State() {
        didSet { if state != oldValue { onChange?(state) } }
    }
    /// Called after each change of ``state``.
    public var onChange: (@MainActor (State) -> Void)?
    /// Called once, when the user has signed in.
    public var onSignIn: (@MainActor (AuthDataResult) -> Void)?

    /// The longest text that is sent as a number, in bytes, because users may paste anything.
    private static let longestNumber = 64

    /// The texts of a view.
    public let texts: PhoneSignInTexts
    private let auth: Auth
    private let region: String?
    private var isLoadingRegions = false
    private var verificationID = ""
    private var lastCredential: PhoneAuthCredential?
    /// The number of times that the user has left a number, so that late results for an earlier number are ignored.
    private var attempt = 0

    /// Creates a sign-in. If a code was sent before the app was restarted, the sign-in starts with the code.
    ///
    /// - Parameters:
    ///   - auth: the ``Auth`` that signs the user in; nil for the default app's.
    ///   - region: the region of numbers without a country code (ISO 3166-1 alpha-2, such as `US`), until the user
    ///     chooses one; nil for the region of the device's locale.
    ///   - texts: the texts; nil for texts in ``Auth/languageCode`` or, if that is nil, in the language of the app.
    public init(auth: Auth? = nil, region: String? = nil, texts: PhoneSignInTexts? = nil) {
        let auth = auth ?? Auth.auth()
        self.auth = auth
        self.texts = texts ?? PhoneSignInTexts(language: auth.languageCode)
        self.region = region ?? Self.region(ofLocale: Locale.current.identifier)
        if let verification = phone.verificationInProgress {
            verificationID = verification.verificationID
            state.step = .code(sentTo: verification.phoneNumber)
            state.resendWait = wait(for: verification)
        }
    }

    private var phone: PhoneAuthProvider { PhoneAuthProvider.provider(auth: auth) }

    // MARK: Actions of users

    /// Sends a code to the number that the user has typed, with or without the country code.
    public func send(_ typedNumber: String) async {
        guard state.step == .number else { return }
        await perform(.sending) { attempt in
            let number = try await self.number(typedNumber)
            try await self.sendCode(to: number, attempt)
        }
    }

    /// Sends the code again, if the server's wait is over.
    public func resend() async {
        guard case .code(let number) = state.step, remainingWait() == 0 else { return }
        await perform(.resending) { attempt in try await self.sendCode(to: number, attempt) }
    }

    /// Signs in with the code that the user has typed.
    public func verify(_ typedCode: String) async {
        guard case .code = state.step else { return }
        let code = Self.code(typedCode)
        await perform(.verifying) { _ in
            let credential = self.credential(code)
            let result = try await self.auth.signIn(with: credential)
            // Even if the user went back to the number meanwhile: the user is signed in.
            self.attempt += 1
            self.state = self.state.at(.signedIn)
            self.onSignIn?(result)
        }
    }

    /// Returns to the number. Results of operations in progress are ignored.
    public func changeNumber() {
        guard case .code = state.step else { return }
        attempt += 1
        auth.forgetVerification(verificationID)
        verificationID = ""
        state = state.at(.number)
    }

    /// Chooses the region of numbers without a country code.
    public func choose(_ region: PhoneSignInRegion) { state.region = region }

    /// Returns the regions whose name, code or calling code contains the typed text; all regions if the text is empty.
    public func regions(matching typed: String) -> [PhoneSignInRegion] {
        PhoneSignInRegion.search(state.regions, for: typed, language: texts.language)
    }

    /// Loads the regions to which the project sends messages. If that fails, users type their number without a list of
    /// countries, and the next call tries again.
    public func loadRegions() async {
        guard state.regions.isEmpty, !isLoadingRegions else { return }
        isLoadingRegions = true
        defer { isLoadingRegions = false }
        guard let response = try? await auth.get("/v2/signInConfig", as: SignInConfigResponse.self) else { return }
        let regions = PhoneSignInRegion.named(response.regions, language: texts.language)
        state.regions = regions
        state.region =
            state.region ?? regions.first { $0.code == region } ?? (regions.count == 1 ? regions.first : nil)
    }

    /// Returns the number of seconds until ``resend()`` can send a message.
    public func remainingWait(at now: Date? = nil) -> Int {
        state.resendWait?.remaining(at: now ?? auth.environment.deviceTime()) ?? 0
    }

    // MARK: Steps

    /// Performs an operation, even if the calling task is cancelled because a view disappeared: its outcome is shown.
    private func perform(
        _ activity: State.Activity,
        _ operation: @escaping @MainActor (_ attempt: Int) async throws -> Void
    ) async {
        guard state.activity == nil else { return }
        let attempt = attempt
        state.activity = activity
        state.problem = nil
        await Task {
            do {
                try await operation(attempt)
            } catch is CancellationError {
                // The user has signed out meanwhile.
            } catch {
                // Unless the user has left this number.
                if attempt == self.attempt { failed(PhoneSignInProblem(error)) }
            }
            if attempt == self.attempt { state.activity = nil }
        }.value
    }

    /// Returns the same credential for the same code, so that the user can repeat a sign-in whose answer was lost.
    private func credential(_ code: String) -> PhoneAuthCredential {
        let new = phone.credential(withVerificationID: verificationID, verificationCode: code)
        if let lastCredential, let last = lastCredential.answer, let now = new.answer, last == now {
            return lastCredential
        }
        lastCredential = new
        return new
    }

    private func failed(_ problem: PhoneSignInProblem) {
        state.problem = problem
        switch problem.code {
        case .sessionExpired, .invalidVerificationID, .missingVerificationID:
            // Only a new message helps.
            state.resendWait = nil
        case .tooManyRequests where state.activity != .verifying:
            state.resendWait = problem.retryAfter.map { Wait(since: auth.environment.deviceTime(), seconds: $0) }
        default: break
        }
    }

    private func sendCode(to number: String, _ attempt: Int) async throws {
        let id = try await phone.verifyPhoneNumber(number)
        guard attempt == self.attempt else { return auth.forgetVerification(id) }
        verificationID = id
        let verification = phone.verificationInProgress.flatMap { $0.verificationID == id ? $0 : nil }
        state.resendWait =
            verification.flatMap(wait)
            ?? Wait(since: auth.environment.deviceTime(), seconds: VerificationInProgress.resendWait)
        state.step = .code(sentTo: number)
    }

    private func wait(for verification: VerificationInProgress) -> Wait? {
        let seconds = verification.resendAt.timeIntervalSince(auth.clock.now)
        // A longer wait means that a clock was changed.
        guard (0...VerificationInProgress.lifetime).contains(seconds) else { return nil }
        return Wait(since: auth.environment.deviceTime(), seconds: seconds)
    }

    /// Returns a typed number in E.164 form. A number with a country code is returned unchanged: the server parses it.
    private func number(_ typedNumber: String) async throws -> String {
        let typed = Self.asciiDigits(typedNumber).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !typed.isEmpty else { throw AuthErrorCode.missingPhoneNumber.error() }
        guard typed.utf8.count <= Self.longestNumber else { throw AuthErrorCode.invalidPhoneNumber.error() }
        guard !typed.hasPrefix("+"), let region = state.region?.code ?? region else { return typed }
        let response = try await auth.post(
            "/v2/parsePhoneNumber",
            JSONFields(["phoneNumber": typed, "regionCode": region]),
            as: ParseNumberResponse.self
        )
        if response.regionAllowed == false { throw AuthErrorCode.operationNotAllowed.error() }
        guard let number = response.phoneNumber, response.accepted != false else {
            throw AuthErrorCode.invalidPhoneNumber.error()
        }
        return number
    }

    // MARK: Typed texts

    /// Returns the digits of a typed code, at most as many as a code may have.
    static func code(_ typed: String) -> String {
        let digits = typed.unicodeScalars.lazy.compactMap { scalar in
            scalar.properties.generalCategory == .decimalNumber ? scalar.properties.numericValue.map { Int($0) } : nil
        }
        return digits.prefix(12).map(String.init).joined()
    }

    /// Returns a typed code or recovery code with ASCII digits and without separators.
    nonisolated static func typedCode(_ typed: String) -> String {
        asciiDigits(typed).filter { $0.isLetter || $0.isNumber }
    }

    /// Replaces decimal digits and plus signs with their ASCII forms, such as `٧` with `7`, and removes zero-width
    /// characters, which pasted numbers often contain.
    nonisolated static func asciiDigits(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars where scalar.properties.generalCategory != .format {
            if scalar == "＋" {
                result += "+"
            } else if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                result += String(Int(value))
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns the region of a locale identifier, such as `US` for `en_US@calendar=japanese`; nil if it has none.
    static func region(ofLocale identifier: String) -> String? {
        let subtags = identifier.prefix { $0 != "@" && $0 != "." }.split { $0 == "_" || $0 == "-" }
        let region = subtags.dropFirst().first { subtag in
            subtag.count == 2 && subtag.allSatisfy { $0.isASCII && $0.isLetter }
        }
        return region?.uppercased()
    }
}

extension PhoneSignIn.State: CustomStringConvertible, CustomReflectable {
    /// The operation in progress only: phone numbers must not reach logs.
    public var description: String { "PhoneSignIn.State(\(activity.map { "\($0)" } ?? "idle"))" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PhoneSignIn.State.Step: CustomStringConvertible, CustomReflectable {
    /// The step only, for the same reason.
    public var description: String {
        switch self {
        case .number: "number"
        case .code: "code"
        case .signedIn: "signedIn"
        }
    }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a step of a sign-in failed.
public struct PhoneSignInProblem: Sendable, Equatable {
    /// The code of the error; nil if the error is not one of ``Auth``.
    public let code: AuthErrorCode?
    /// How long the server requires to wait, in seconds, at most a week; nil if it does not.
    public let retryAfter: TimeInterval?
    /// The reference that the operator passes to `dialtone explain`; nil if the response had none.
    public let reference: String?

    /// Creates the problem of an error.
    public init(_ error: any Error) {
        code = AuthErrorCode(error)
        // The error may come from an app's own presenter, so its number may be arbitrary.
        retryAfter = error.dialtoneRetryAfter.flatMap { $0.isFinite ? min(max($0, 0), 604_800) : nil }
        reference = error.dialtoneReference
    }
}
