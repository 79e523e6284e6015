import DialtoneAuth
import DialtoneFirebaseNames
import Foundation
import Processes
import TestServers
import Testing

/// The steps of Firebase's guide to phone sign-in on Apple platforms, with the guide's own code: only the import
/// differs.
@Suite(.serialized, .sharedServer, .tags(.client)) @MainActor struct ClientGuideTests {
    private let server: RunningServer
    private let folder: TemporaryFolder

    init() throws {
        server = try #require(SharedServer.current)
        folder = try TemporaryFolder(prefix: "dialtone-client")
        FirebaseApp.configure(options: try ClientApp.options(server), store: ClientApp.store(folder))
    }

    /// A view controller as in the guide.
    @MainActor final class SignIn {
        var prompt: String?
        var verificationID: String?
        var user: User?
        var resolver: MultiFactorResolver?

        func sendCode(to phoneNumber: String) {
            PhoneAuthProvider.provider().verifyPhoneNumber(phoneNumber, uiDelegate: nil) { verificationID, error in
                if let error = error {
                    self.prompt = error.localizedDescription
                    return
                }
                self.verificationID = verificationID
            }
        }

        func signIn(with verificationCode: String) {
            let credential = PhoneAuthProvider.provider().credential(
                withVerificationID: verificationID ?? "",
                verificationCode: verificationCode
            )
            Auth.auth().signIn(with: credential) { authResult, error in
                if let error = error {
                    self.prompt = error.localizedDescription
                    return
                }
                self.user = authResult?.user
            }
        }

        func signIn(email: String, password: String) {
            Auth.auth().signIn(withEmail: email, password: password) { authResult, error in
                if let error = error {
                    let authError = error as NSError
                    if authError.code == AuthErrorCode.secondFactorRequired.rawValue {
                        self.resolver =
                            authError.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver
                    } else {
                        self.prompt = error.localizedDescription
                    }
                    return
                }
                self.user = authResult?.user
            }
        }

        func sendCode(toFactorNamed name: String) {
            var selectedHint: PhoneMultiFactorInfo?
            for tmpFactorInfo in resolver?.hints ?? [] where tmpFactorInfo.displayName == name {
                selectedHint = tmpFactorInfo as? PhoneMultiFactorInfo
            }
            guard let selectedHint else { return }
            PhoneAuthProvider.provider().verifyPhoneNumber(
                with: selectedHint,
                uiDelegate: nil,
                multiFactorSession: resolver?.session
            ) { verificationID, error in
                self.prompt = error?.localizedDescription
                self.verificationID = verificationID
            }
        }

        func resolve(with verificationCode: String) {
            let credential = PhoneAuthProvider.provider().credential(
                withVerificationID: verificationID ?? "",
                verificationCode: verificationCode
            )
            let assertion: MultiFactorAssertion = PhoneMultiFactorGenerator.assertion(with: credential)
            resolver?.resolveSignIn(with: assertion) { authResult, error in
                self.prompt = error?.localizedDescription
                self.user = authResult?.user
            }
        }
    }

    private func wait(at location: SourceLocation = #_sourceLocation, for condition: () -> Bool) async {
        let isTrue = await waitUntil(condition)
        #expect(isTrue, sourceLocation: location)
    }

    @Test("a code is requested in the user's language and entered, which signs the user in; then the user signs out")
    func signIn() async throws {
        let screen = SignIn()
        Auth.auth().languageCode = "fr"
        let handle = Auth.auth().addStateDidChangeListener { auth, user in
            #expect(auth === Auth.auth() && (user == nil || user?.phoneNumber == "+16505550120"))
        }
        screen.sendCode(to: "+1 650-555-0120")
        await wait { screen.verificationID != nil || screen.prompt != nil }
        let verificationID = try #require(screen.verificationID, "\(screen.prompt ?? "")")
        // As whenever a view appears: the same verification, and no second message.
        screen.verificationID = nil
        screen.sendCode(to: "+1 650-555-0120")
        await wait { screen.verificationID != nil }
        #expect(screen.verificationID == verificationID)
        #expect(try server.messages(to: "+16505550120").count == 1)

        screen.signIn(with: "12")
        await wait { screen.prompt != nil }
        screen.signIn(with: try server.code(of: verificationID))
        await wait { screen.user != nil }
        let user = try #require(Auth.auth().currentUser)
        #expect(user === screen.user)
        #expect(user.phoneNumber == "+16505550120")
        #expect(user.providerData.map(\.providerID) == ["phone"])
        #expect(user.metadata.creationDate != nil)
        let claims = try await user.getIDTokenResult()
        #expect(claims.signInProvider == "phone")
        #expect(claims.claims["phone_number"] as? String == "+16505550120")
        #expect(try server.lookUp(claims.token).status == 200)
        do {
            try Auth.auth().signOut()
        } catch let signOutError as NSError {
            print("Error signing out: %@", signOutError)
            throw signOutError
        }
        #expect(Auth.auth().currentUser == nil)
        Auth.auth().removeStateDidChangeListener(handle)
    }

    @Test("errors have the guide's codes and a reference for the operator")
    func errors() async throws {
        do {
            _ = try await PhoneAuthProvider.provider().verifyPhoneNumber("+1650")
            Issue.record("no error")
        } catch let error where AuthErrorCode(error) == .invalidPhoneNumber {
        }
        do {
            _ = try await PhoneAuthProvider.provider().verifyPhoneNumber(" ")
            Issue.record("no error")
        } catch let error where AuthErrorCode(error) == .missingPhoneNumber {
        }
        let app = try ClientApp(server)
        let id = try await app.phone.verifyPhoneNumber("+16505550121")
        let wrong = app.phone.credential(
            withVerificationID: id,
            verificationCode: wrongCode(besides: try server.code(of: id))
        )
        do {
            _ = try await app.auth.signIn(with: wrong)
            Issue.record("no error")
        } catch {
            #expect(AuthErrorCode(error) == .invalidVerificationCode)
            #expect(error.dialtoneReference != nil)
        }
        #expect(app.phone.verificationInProgress?.verificationID == id)
    }

    @Test("a user selects a second factor by its name and proves it")
    func secondFactor() async throws {
        let email = SecondFactorUser.freshEmail()
        let number = SecondFactorUser.freshNumber()
        let created = try await Auth.auth().createUser(withEmail: email, password: "correct horse").user
        #expect(try server.administer("update", #"{"localId":"\#(created.uid)","emailVerified":true}"#).status == 200)
        try await created.reload()
        #expect(created.isEmailVerified)
        let session = try await created.multiFactor.session()
        let id = try await PhoneAuthProvider.provider().verifyPhoneNumber(number, multiFactorSession: session)
        let credential = PhoneAuthProvider.provider().credential(
            withVerificationID: id,
            verificationCode: try server.code(of: id)
        )
        try await created.multiFactor.enroll(
            with: PhoneMultiFactorGenerator.assertion(with: credential),
            displayName: "My phone"
        )
        #expect(created.multiFactor.enrolledFactors.map(\.displayName) == ["My phone"])
        try Auth.auth().signOut()

        let screen = SignIn()
        screen.signIn(email: email, password: "correct horse")
        await wait { screen.resolver != nil || screen.prompt != nil }
        #expect(Auth.auth().currentUser == nil)
        screen.sendCode(toFactorNamed: "My phone")
        await wait { screen.verificationID != nil || screen.prompt != nil }
        let code = try server.code(of: try #require(screen.verificationID))
        screen.resolve(with: wrongCode(besides: code))
        await wait { screen.prompt != nil }
        screen.resolve(with: code)
        await wait { screen.user != nil }
        #expect(Auth.auth().currentUser?.uid == created.uid)
        #expect(try await Auth.auth().currentUser?.getIDTokenResult().signInSecondFactor == "phone")
    }
}
