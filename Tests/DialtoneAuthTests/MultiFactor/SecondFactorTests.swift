import Foundation
import Testing

@testable import DialtoneAuth

/// Messages of second factors, with a mock server.
@Suite struct SecondFactorTests {
    private let isLimited = Mutexed(false)

    private func app() throws -> TestApp {
        let server = try StandIn { [isLimited] request in
            if isLimited.with({ $0 }) {
                return .error("TOO_MANY_ATTEMPTS_TRY_LATER", headers: ["Retry-After": "500"])
            }
            let session = #"{"sessionInfo":"id","resendAfter":"250"}"#
            return request.path.hasPrefix("/v2/accounts/mfaSignIn:start")
                ? StandIn.Answer(body: #"{"phoneResponseInfo":\#(session)}"#)
                : StandIn.Answer(body: #"{"phoneSessionInfo":\#(session)}"#)
        }
        let app = try TestApp(server.url)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        return app
    }

    private func pending() -> PendingSignIn {
        let factor = FactorResponse(mfaEnrollmentId: "factor", phoneInfo: "+*******0101")
        return PendingSignIn(credential: "pending", provider: "password", factors: [factor], isSignIn: true)
    }

    /// Requests the code again, and returns the wait in the error.
    private func wait(_ provider: PhoneAuthProvider) async throws -> TimeInterval {
        do {
            _ = try await provider.resendSecondFactorCode()
            return 0
        } catch let error where AuthErrorCode(error) == .tooManyRequests {
            return try #require(error.dialtoneRetryAfter)
        }
    }

    /// Requests a message for an enrollment, or for a sign-in.
    private func send(_ app: TestApp, isEnrollment: Bool) async throws {
        let provider = PhoneAuthProvider.provider(auth: app.auth)
        if isEnrollment {
            let user = try app.auth.currentUser ?? app.signIn("ann")
            let session = MultiFactorSession(.enrollment(user))
            _ = try await provider.verifyPhoneNumber("+16505550101", multiFactorSession: session)
        } else {
            let hint = try #require(MultiFactorInfo.make(pending().factors[0]) as? PhoneMultiFactorInfo)
            let session = MultiFactorSession(.signIn(pending()))
            _ = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: session)
        }
    }

    @Test("the wait for another message is the server's, at enrollment and at sign-in", arguments: [true, false])
    func wait(isEnrollment: Bool) async throws {
        let app = try app()
        try await send(app, isEnrollment: isEnrollment)
        let provider = PhoneAuthProvider.provider(auth: app.auth)
        #expect((1...250).contains(try await wait(provider)))
        // The wait in a rate limit error replaces it.
        isLimited.with { $0 = true }
        await #expect { try await send(app, isEnrollment: isEnrollment) } throws: {
            AuthErrorCode($0) == .tooManyRequests
        }
        #expect((251...500).contains(try await wait(provider)))
    }

    @Test("a sign-out removes the number of an enrollment")
    func signOut() async throws {
        let app = try app()
        try await send(app, isEnrollment: true)
        #expect(PhoneAuthProvider.provider(auth: app.auth).secondFactorInProgress != nil)
        try app.auth.signOut()
        #expect(try app.auth.store.read(SecondFactorRecord.key) == nil)
    }
}
