// swift-format-ignore-file: NeverForceUnwrap
// As apps write the URL of their server.

import DialtoneAuth
import Foundation

/// Code that readers of DialtoneAuth's articles write. ``ArticleTests`` compares it with the articles, so it fails if
/// an article's code does not compile.
@MainActor final class ArticleApp {
    // Declarations that the articles leave to the reader.

    func show(_ text: String) {}
    func showAddressField() {}
    func showCodeField() {}
    func showContent() {}
    func showNumberField() {}
    func showQRCode(_ url: String) {}
    func chooseFactor(from hints: [MultiFactorInfo], of resolver: MultiFactorResolver) {}
    func handle(_ url: URL) -> Bool { false }
    func handle(
        _ notification: [AnyHashable: Any],
        _ completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {}

    // The parts of UIKit that the articles use.

    struct UIApplication {
        struct OpenURLOptionsKey: Hashable {}
    }
    enum UIBackgroundFetchResult {
        case noData
    }

    // MARK: GettingStarted.md

    @MainActor func startApp() {
        DialtoneApp.configure(url: URL(string: "https://auth.example.com")!, apiKey: "my-api-key")
        #if DEBUG
            Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
        #endif
    }

    func sendCode(to phoneNumber: String) async {
        do {
            _ = try await PhoneAuthProvider.provider().verifyPhoneNumber(phoneNumber)
            showCodeField()
        } catch let error where AuthErrorCode(error) == .invalidPhoneNumber {
            show("Enter the number with its country code, such as +1 650 555 0101.")
        } catch let error where AuthErrorCode(error) == .tooManyRequests {
            show("Try again in \(Int(error.dialtoneRetryAfter ?? 60)) seconds.")
        } catch {
            show(PhoneSignInTexts().description(of: error))
        }
    }

    func signIn(with code: String) async {
        let provider = PhoneAuthProvider.provider()
        guard let verification = provider.verificationInProgress else { return showNumberField() }
        let credential = provider.credential(
            withVerificationID: verification.verificationID,
            verificationCode: code
        )
        do {
            let result = try await Auth.auth().signIn(with: credential)
            show("Welcome, \(result.user.phoneNumber ?? "")")
        } catch let error where AuthErrorCode(error) == .invalidVerificationCode {
            show("The code is wrong.")
        } catch let error where AuthErrorCode(error) == .sessionExpired {
            showNumberField()
        } catch {
            show(PhoneSignInTexts().description(of: error))
        }
    }

    func showFirstView() {
        if Auth.auth().currentUser != nil {
            showContent()
        } else if PhoneAuthProvider.provider().verificationInProgress != nil {
            showCodeField()
        } else {
            showNumberField()
        }
    }

    func followUser() async {
        for await user in Auth.auth().authStateChanges {
            if user == nil { showNumberField() } else { showContent() }
        }
    }

    func printDiagnosis() async {
        for diagnosis in await Auth.auth().diagnose() { print(diagnosis) }
    }

    // MARK: SecondFactorsInApps.md

    func sendEnrollmentCode(to phoneNumber: String, of user: User) async throws -> String {
        let session = try await user.multiFactor.session()
        return try await PhoneAuthProvider.provider().verifyPhoneNumber(phoneNumber, multiFactorSession: session)
    }

    func enroll(_ verificationID: String, code: String, of user: User) async throws {
        let credential = PhoneAuthProvider.provider().credential(
            withVerificationID: verificationID,
            verificationCode: code
        )
        let assertion = PhoneMultiFactorGenerator.assertion(with: credential)
        try await user.multiFactor.enroll(with: assertion, displayName: "My phone")
    }

    func authenticatorSecret(of user: User) async throws -> TOTPSecret {
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: user.multiFactor.session())
        showQRCode(secret.generateQRCodeURL(withAccountName: user.email ?? "", issuer: "Example"))
        return secret
    }

    func enroll(_ secret: TOTPSecret, code: String, of user: User) async throws {
        let assertion = TOTPMultiFactorGenerator.assertionForEnrollment(with: secret, oneTimePassword: code)
        try await user.multiFactor.enroll(with: assertion, displayName: "Authenticator")
    }

    func signIn(email: String, password: String) async throws {
        do {
            try await Auth.auth().signIn(withEmail: email, password: password)
        } catch {
            guard let resolver = error.multiFactorResolver else { throw error }
            chooseFactor(from: resolver.hints, of: resolver)
        }
    }

    func sendCode(to hint: PhoneMultiFactorInfo, of resolver: MultiFactorResolver) async throws -> String {
        try await PhoneAuthProvider.provider().verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
    }

    func finish(_ resolver: MultiFactorResolver, _ verificationID: String, code: String) async throws -> User {
        let credential = PhoneAuthProvider.provider().credential(
            withVerificationID: verificationID,
            verificationCode: code
        )
        return try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential)).user
    }

    func finish(_ resolver: MultiFactorResolver, _ hint: MultiFactorInfo, code: String) async throws -> User {
        let assertion = TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: hint.uid, oneTimePassword: code)
        return try await resolver.resolveSignIn(with: assertion).user
    }

    func continueSecondFactor(code: String) async throws {
        guard let second = PhoneAuthProvider.provider().secondFactorInProgress else { return showNumberField() }
        let credential = PhoneAuthProvider.provider().credential(
            withVerificationID: second.verification.verificationID,
            verificationCode: code
        )
        let assertion = PhoneMultiFactorGenerator.assertion(with: credential)
        if let resolver = second.resolver {
            try await resolver.resolveSignIn(with: assertion)
        } else {
            try await Auth.auth().currentUser?.multiFactor.enroll(with: assertion, displayName: nil)
        }
    }

    // MARK: EmailLinksInApps.md

    func sendLink(to email: String) async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://app.example.com/welcome")
        settings.handleCodeInApp = true
        try await Auth.auth().sendSignInLink(toEmail: email, actionCodeSettings: settings)
        UserDefaults.standard.set(email, forKey: "email")
    }

    func open(_ link: URL) async throws {
        guard Auth.auth().isSignIn(withEmailLink: link.absoluteString) else { return }
        guard let email = UserDefaults.standard.string(forKey: "email") else { return showAddressField() }
        try await Auth.auth().signIn(withEmail: email, link: link.absoluteString)
    }

    // MARK: TestingSignIn.md

    func testSignIn() async throws {
        Auth.auth().settings?.isAppVerificationDisabledForTesting = true
        let provider = PhoneAuthProvider.provider()
        let id = try await provider.verifyPhoneNumber("+16505550101")
        let credential = provider.credential(withVerificationID: id, verificationCode: "271828")
        let user = try await Auth.auth().signIn(with: credential).user
        precondition(user.phoneNumber == "+16505550101")
        try await user.delete()
    }

    func authOfTest() -> Auth {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let app = DialtoneApp.configure(
            name: folder.lastPathComponent,
            options: DialtoneOptions(url: URL(string: "http://127.0.0.1:9099"), apiKey: "any"),
            store: FileStore(folder: folder)
        )
        return Auth.auth(app: app)
    }

    // MARK: ForwardingByHand.md

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        Auth.auth().setAPNSToken(token, type: .unknown)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification notification: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if Auth.auth().canHandleNotification(notification) { return completionHandler(.noData) }
        handle(notification, completionHandler)
    }

    func application(
        _ application: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        if Auth.auth().canHandle(url) { return true }
        return handle(url)
    }

    // MARK: MovingFromFirebaseSDK.md

    func describe(_ error: any Error) -> String {
        if (error as NSError).code == AuthErrorCode.invalidVerificationCode.rawValue { return "The code is wrong." }
        if AuthErrorCode(error) == .sessionExpired { return "The code has expired." }
        return error.localizedDescription
    }

    func shareSession() async throws {
        let user = Auth.auth().currentUser
        try Auth.auth().useUserAccessGroup("TEAMID.com.example.shared")
        if let user { try await Auth.auth().updateCurrentUser(user) }
    }

    func takeOver() async throws {
        let places = FirebaseSessionPlace.all(googleAppID: "1:123:ios:abc", apiKey: "AIza…")
        try await Auth.auth().takeOver(FirebaseTakeover(from: places))
    }

    // MARK: PinningPublicKeys.md

    func pinningPublicKeys1() {
        var options = DialtoneOptions(url: URL(string: "https://auth.example.com"), apiKey: "my-api-key")
        options.pinnedPublicKeys = [
            "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=",
            "YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=",
        ]
        DialtoneApp.configure(options: options)
    }
}
