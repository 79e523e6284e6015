import DialtoneAuth
import Foundation
import GTMSessionFetcherCore

#if swift(>=6)
    import DialtoneFirebaseNames
#else
    import FirebaseCore
#endif

// What apps write around the library, as they write it around the Firebase SDK.

#if swift(>=6)
    func configure(_ options: FirebaseOptions) -> FirebaseApp? {
        FirebaseApp.configure(options: options)
        return FirebaseApp.allApps?["name"] ?? FirebaseApp.app()
    }
#else
    func identity(of app: FirebaseApp) -> ObjectIdentifier { ObjectIdentifier(app) }
#endif

/// A wrapper that passes its callers' closures on.
final class SignInService {
    private var users: Set<User> = []
    private var handle: NSObjectProtocol?

    func send(to number: String, completion: @escaping (String?, Error?) -> Void) {
        PhoneAuthProvider.provider().verifyPhoneNumber(number, uiDelegate: nil, completion: completion)
    }

    func signIn(with credential: AuthCredential, completion: ((AuthDataResult?, Error?) -> Void)?) {
        Auth.auth().signIn(with: credential, completion: completion)
    }

    func token(of user: User, completion: ((String?, Error?) -> Void)?) {
        user.getIDTokenForcingRefresh(true, completion: completion)
    }

    func delete(_ user: User, completion: @escaping (Error?) -> Void) {
        user.delete { error in completion(error) }
    }

    func observe(_ listener: @escaping (Auth, User?) -> Void) {
        handle = Auth.auth().addStateDidChangeListener(listener)
    }

    func useSettings(_ settings: AuthSettings) {
        settings.isAppVerificationDisabledForTesting = true
        Auth.auth().settings = settings
    }

    func isNew(_ result: AuthDataResult, among results: Set<AuthDataResult>) -> Bool {
        !results.contains(result) && result.isEqual(result) && result.additionalUserInfo?.newUser() == true
            && users.insert(result.user).inserted
    }

    func isExpired(_ error: Error) -> Bool { AuthErrorCode(error)?.code == .sessionExpired }

    func reset(_ email: String, in settings: ActionCodeSettings, completion: ((Error?) -> Void)?) {
        Auth.auth().sendPasswordReset(withEmail: email, completion: completion)
        Auth.auth().sendPasswordReset(withEmail: email, actionCodeSettings: settings, completion: completion)
    }

    func open(_ link: String, for email: String, of user: User, completion: ((AuthDataResult?, Error?) -> Void)?) {
        if Auth.auth().isSignIn(withEmailLink: link) {
            return Auth.auth().signIn(withEmail: email, link: link, completion: completion)
        }
        Auth.auth().applyActionCode(ActionCodeURL(link: link)?.code ?? "") { error in completion?(nil, error) }
        user.sendEmailVerification { error in completion?(nil, error) }
        user.sendEmailVerification(beforeUpdatingEmail: email) { error in completion?(nil, error) }
    }

    func check(_ code: String) async throws -> String {
        let info = try await Auth.auth().checkActionCode(code)
        try await Auth.auth().sendPasswordReset(withEmail: info.email)
        try await Auth.auth().currentUser?.sendEmailVerification()
        return info.operation == .passwordReset ? try await Auth.auth().verifyPasswordResetCode(code) : info.email
    }

    func providers(of user: User) -> [UserInfo] { user.providerData }
}

/// A view model, whose closures stay on the main actor.
@MainActor final class SignInModel {
    private(set) var text = ""

    func send(to number: String) {
        PhoneAuthProvider.provider().verifyPhoneNumber(number) { id, error in
            self.text = id ?? error?.localizedDescription ?? ""
        }
    }

    func follow() {
        Auth.auth().addStateDidChangeListener { [weak self] _, user in self?.text = user?.uid ?? "" }
    }
}
