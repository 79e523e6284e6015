import DialtoneAuth
import Foundation
import Synchronization
import TestServers
import Testing

/// Operations of signed-in users of Dialtone's own client, against the real server.
@Suite(.sharedServer, .tags(.client)) struct ClientAccountTests {
    private let server: RunningServer
    private let app: ClientApp

    init() throws {
        server = try #require(SharedServer.current)
        app = try ClientApp(server)
    }

    @Test("an anonymous user links a number, replaces it, changes the profile, unlinks it and deletes the account")
    func life() async throws {
        let user = try await app.auth.signInAnonymously().user
        #expect(user.isAnonymous)
        #expect(try await app.auth.signInAnonymously().user === user)
        let numbers = [SecondFactorUser.freshNumber(), SecondFactorUser.freshNumber()]
        _ = try await user.link(with: try await app.credential(numbers[0], server))
        #expect(!user.isAnonymous)
        #expect(user.phoneNumber == numbers[0])
        await #expect { try await user.link(with: app.credential(numbers[1], server)) } throws: {
            AuthErrorCode($0) == .providerAlreadyLinked
        }
        try await user.updatePhoneNumber(try await app.credential(numbers[1], server))
        #expect(user.phoneNumber == numbers[1])

        let change = user.createProfileChangeRequest()
        change.displayName = "Ann"
        change.photoURL = URL(string: "https://example.com/ann.png")
        try await change.commitChanges()
        #expect(user.displayName == "Ann")
        #expect(user.photoURL?.absoluteString == "https://example.com/ann.png")
        let removal = user.createProfileChangeRequest()
        removal.displayName = nil
        try await removal.commitChanges()
        #expect(user.displayName == nil)
        #expect(user.photoURL != nil)

        let restarted = try ClientApp(server, folder: app.folder)
        #expect(restarted.auth.currentUser?.phoneNumber == numbers[1])

        let uid = user.uid
        #expect(try await user.reauthenticate(with: app.credential(numbers[1], server)).user.uid == uid)
        try await user.delete()
        #expect(app.auth.currentUser == nil)
        let again = try await app.signIn(numbers[1], server)
        #expect(again.user.uid != uid)
        #expect(again.additionalUserInfo?.isNewUser == true)
    }

    @Test("linking another account's number fails, and the error's credential signs in to that account")
    func alreadyInUse() async throws {
        let number = SecondFactorUser.freshNumber()
        let owner = try await ClientApp(server).signIn(number, server).user
        let user = try await app.auth.signInAnonymously().user
        do {
            _ = try await user.link(with: app.credential(number, server))
            Issue.record("no error")
        } catch {
            #expect(AuthErrorCode(error) == .credentialAlreadyInUse)
            #expect(app.auth.currentUser === user)
            let credential = try #require(error.updatedCredential)
            #expect(try await app.auth.signIn(with: credential).user.uid == owner.uid)
        }
    }

    @Test("a reauthentication with another user's number is refused, and the current user stays")
    func mismatch() async throws {
        let number = SecondFactorUser.freshNumber()
        _ = try await ClientApp(server).signIn(number, server)
        let user = try await app.signIn(SecondFactorUser.freshNumber(), server).user
        for other in [number, SecondFactorUser.freshNumber()] {
            await #expect { try await user.reauthenticate(with: app.credential(other, server)) } throws: {
                AuthErrorCode($0) == .userMismatch
            }
            #expect(app.auth.currentUser === user)
        }
    }

    @Test("an authenticator app is enrolled, proven in a sign-in, and withdrawn")
    func authenticatorApp() async throws {
        let email = SecondFactorUser.freshEmail()
        let user = try await app.auth.createUser(withEmail: email, password: "correct horse").user
        #expect(try server.administer("update", #"{"localId":"\#(user.uid)","emailVerified":true}"#).status == 200)
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: user.multiFactor.session())
        #expect(
            secret.generateQRCodeURL(withAccountName: email, issuer: "My app").hasPrefix("otpauth://totp/My%20app:user")
        )
        let authenticator = try #require(AuthenticatorApp(secret.sharedSecretKey()))
        let enrollment = TOTPMultiFactorGenerator.assertionForEnrollment(
            with: secret,
            oneTimePassword: authenticator.code(-1)
        )
        try await user.multiFactor.enroll(with: enrollment, displayName: "Authenticator")
        let factor = try #require(user.multiFactor.enrolledFactors.first)
        #expect(factor.factorID == TOTPMultiFactorID)
        #expect(abs(factor.enrollmentDate.timeIntervalSinceNow) < 3_600)
        try app.auth.signOut()

        do {
            _ = try await app.auth.signIn(withEmail: email, password: "correct horse")
            Issue.record("no error")
        } catch {
            #expect(AuthErrorCode(error) == .secondFactorRequired)
            let resolver = try #require(error.multiFactorResolver)
            let assertion = TOTPMultiFactorGenerator.assertionForSignIn(
                withEnrollmentID: try #require(resolver.hints.first).uid,
                oneTimePassword: authenticator.code()
            )
            #expect(try await resolver.resolveSignIn(with: assertion).user.uid == user.uid)
        }
        let current = try #require(app.auth.currentUser)
        try await current.multiFactor.unenroll(withFactorUID: factor.uid)
        #expect(current.multiFactor.enrolledFactors.isEmpty)
    }

    @Test("if the app is terminated while the user reads the message, the restarted app continues the verification")
    func restartWhileReading() async throws {
        let number = SecondFactorUser.freshNumber()
        let id = try await app.phone.verifyPhoneNumber(number)
        let restarted = try ClientApp(server, folder: app.folder)
        let verification = try #require(restarted.phone.verificationInProgress)
        #expect(verification.verificationID == id)
        #expect(verification.phoneNumber == number)
        await #expect { try await restarted.phone.resendCode() } throws: { error in
            AuthErrorCode(error) == .tooManyRequests && (1...60).contains(error.dialtoneRetryAfter ?? 0)
        }
        let credential = restarted.phone.credential(
            withVerificationID: verification.verificationID,
            verificationCode: try server.code(of: id)
        )
        _ = try await restarted.auth.signIn(with: credential)
        #expect(restarted.phone.verificationInProgress == nil)
        #expect(try ClientApp(server, folder: app.folder).auth.currentUser?.phoneNumber == number)
    }

    @Test("if the app is terminated while the user reads a second factor's message, the restarted app continues")
    func secondFactorAfterRestart() async throws {
        let email = SecondFactorUser.freshEmail()
        let number = SecondFactorUser.freshNumber()
        let created = try await app.auth.createUser(withEmail: email, password: "correct horse").user
        #expect(try server.administer("update", #"{"localId":"\#(created.uid)","emailVerified":true}"#).status == 200)
        try await created.reload()
        let session = try await created.multiFactor.session()
        let enrollmentID = try await app.phone.verifyPhoneNumber(number, multiFactorSession: session)

        let enrolling = try ClientApp(server, folder: app.folder)
        let enrollment = try #require(enrolling.phone.secondFactorInProgress)
        #expect(enrollment.verification.verificationID == enrollmentID)
        #expect(enrollment.resolver == nil)
        let user = try #require(enrolling.auth.currentUser)
        func assertion(_ verification: VerificationInProgress) throws -> MultiFactorAssertion {
            let code = try server.code(of: verification.verificationID)
            return PhoneMultiFactorGenerator.assertion(
                with: app.phone.credential(withVerificationID: verification.verificationID, verificationCode: code)
            )
        }
        try await user.multiFactor.enroll(with: assertion(enrollment.verification), displayName: "My phone")
        #expect(enrolling.phone.secondFactorInProgress == nil)
        try enrolling.auth.signOut()

        do {
            _ = try await enrolling.auth.signIn(withEmail: email, password: "correct horse")
            Issue.record("no error")
        } catch {
            let resolver = try #require(error.multiFactorResolver)
            let hint = try #require(resolver.hints.first as? PhoneMultiFactorInfo)
            _ = try await enrolling.phone.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        }
        let restarted = try ClientApp(server, folder: app.folder)
        #expect(restarted.phone.verificationInProgress == nil)
        let signingIn = try #require(restarted.phone.secondFactorInProgress)
        await #expect { try await restarted.phone.resendSecondFactorCode() } throws: {
            AuthErrorCode($0) == .tooManyRequests
        }
        let resolver = try #require(signingIn.resolver)
        let result = try await resolver.resolveSignIn(with: assertion(signingIn.verification))
        #expect(result.user.uid == created.uid && restarted.auth.currentUser === result.user)
        #expect(restarted.phone.secondFactorInProgress == nil)
    }

    @Test("the same code is sent again after the server's wait")
    func resend() async throws {
        let server = try RunningServer(workers: 1, settings: ["LOCK_SECONDS": "1"])
        let app = try ClientApp(server)
        let id = try await app.phone.verifyPhoneNumber("+16505550161")
        let sentAt = app.phone.verificationInProgress?.sentAt
        let resent = try await app.retry(while: .tooManyRequests) { try await app.phone.resendCode() }
        #expect(resent == id)
        #expect(try server.messages(to: "+16505550161").count == 2)
        #expect(app.phone.verificationInProgress?.sentAt == sentAt)
    }

    @Test("50 concurrent calls for one number cause one message and one verification")
    func concurrentSends() async throws {
        let number = SecondFactorUser.freshNumber()
        let phone = app.phone
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await phone.verifyPhoneNumber(number) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try server.messages(to: number).count == 1)
    }

    @Test("a session that an administrator ends signs the user out at the next request")
    func revoked() async throws {
        let user = try await app.signIn(SecondFactorUser.freshNumber(), server).user
        let since = Int(Date().timeIntervalSince1970) + 2
        let changed = try server.administer("update", #"{"localId":"\#(user.uid)","validSince":"\#(since)"}"#)
        try #require(changed.status == 200, "\(changed.text)")
        await #expect { try await user.reload() } throws: { AuthErrorCode($0) == .userTokenExpired }
        #expect(app.auth.currentUser == nil)
    }

    @Test("an outage signs no one out, and everything continues afterwards", arguments: [503, 0])
    func outage(status: Int) async throws {
        let isOut = Atomic(false)
        let proxy = try RawServer { [port = server.port] connection in
            guard isOut.load(ordering: .acquiring) else { return connection.tunnel(to: port) }
            // With status 0, the connection is closed without a response.
            guard connection.readRequest() != nil, status > 0 else { return }
            connection.write("HTTP/1.1 \(status) Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { proxy.stop() }
        let number = SecondFactorUser.freshNumber()
        let app = try ClientApp(server, port: proxy.port)
        _ = try await app.signIn(number, server)
        isOut.store(true, ordering: .releasing)
        let restarted = try ClientApp(server, folder: app.folder, port: proxy.port)
        let user = try #require(restarted.auth.currentUser)
        for _ in 0..<2 {
            await #expect { try await user.getIDToken(forcingRefresh: true) } throws: {
                AuthErrorCode($0) == .networkError
            }
            await #expect { try await user.reload() } throws: { AuthErrorCode($0) == .networkError }
            await #expect { try await restarted.phone.verifyPhoneNumber(number) } throws: {
                AuthErrorCode($0) == .networkError
            }
        }
        #expect(restarted.auth.currentUser === user)
        isOut.store(false, ordering: .releasing)
        _ = try await user.getIDToken(forcingRefresh: true)
        try await user.reload()
        #expect(user.phoneNumber == number)
        #expect(restarted.auth.currentUser === user)
    }
}
