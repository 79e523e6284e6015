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
