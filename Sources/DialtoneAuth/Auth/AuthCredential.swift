public import Foundation

/// What proves a user's identity: a verification code, a password, or the link in an e-mail.
public class AuthCredential: NSObject, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: all properties are constants of Sendable types, and the module's subclasses add
    // none. The class cannot be subclassed elsewhere.

    enum Kind: Sendable {
        case phoneCode(verificationID: String, code: String)
        case phoneProof(phoneNumber: String, proof: String)
        case password(email: String, password: String)
        case emailLink(email: String, code: String)
    }

    /// The provider, such as `phone`.
    public let provider: String
    let kind: Kind
    /// The key of requests with this credential, so that an attempt whose answer was lost can be repeated.
    let key: String

    init(provider: String, _ kind: Kind) {
        self.provider = provider
        self.kind = kind
        key =
            switch kind {
            case .phoneCode(let verificationID, let code): Self.key(ofCode: code, verificationID)
            case .emailLink(let email, let code): Self.key(ofCode: code, email)
            case .phoneProof, .password: APIClient.newKey()
            }
    }

    private static let keySecret = APIClient.newKey()

    /// Returns the key for a code, the same one as long as the app runs: users type the code again if the answer was
    /// lost.
    static func key(ofCode code: String, _ purpose: String) -> String {
        hexadecimalHash(of: [keySecret, purpose, code])
    }

    /// The credential's fields in requests.
    var fields: JSONFields {
        switch kind {
        case .phoneCode(let verificationID, let code): JSONFields(["sessionInfo": verificationID, "code": code])
        case .phoneProof(let number, let proof): JSONFields(["phoneNumber": number, "temporaryProof": proof])
        case .password(let email, let password): JSONFields(["email": email, "password": password])
        case .emailLink(let email, let code): JSONFields(["email": email, "oobCode": code])
        }
    }

    /// The provider only: codes and passwords must not reach logs.
    public override var description: String { "AuthCredential(\(provider))" }
}

extension AuthCredential: CustomReflectable {
    /// Empty, because codes and passwords must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The credential of an identity provider. Kept for source compatibility: Dialtone has no identity providers, so no
/// instance of this class exists.
public final class OAuthCredential: AuthCredential, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: see AuthCredential. This class adds no stored property.

    /// The provider's ID token.
    public var idToken: String? { nil }
    /// The provider's access token.
    public var accessToken: String? { nil }
    /// The secret of an access token of OAuth 1.
    public var secret: String? { nil }
}

/// See ``EmailAuthProvider/id``.
public let EmailAuthProviderID = EmailAuthProvider.id
/// The sign-in method of an address with a password.
public let EmailPasswordAuthSignInMethod = "password"
/// The sign-in method of links in e-mails.
public let EmailLinkAuthSignInMethod = "emailLink"

/// The provider of e-mail addresses, with passwords or with links.
public enum EmailAuthProvider {
    /// The provider's name.
    public static let id = "password"

    /// Returns the credential of an e-mail address and a password.
    public static func credential(withEmail email: String, password: String) -> AuthCredential {
        AuthCredential(provider: id, .password(email: email, password: password))
    }

    /// Returns the credential of an e-mail address and the link that was sent to it.
    public static func credential(withEmail email: String, link: String) -> AuthCredential {
        // The server rejects an empty code.
        AuthCredential(provider: id, .emailLink(email: email, code: ActionCodeURL(link: link)?.code ?? ""))
    }
}

/// The result of a sign-in.
public final class AuthDataResult: NSObject, Sendable {
    /// The user.
    public let user: User
    /// Further information about the sign-in.
    public let additionalUserInfo: AdditionalUserInfo?
    /// Kept for source compatibility: always nil, because only identity providers return a credential.
    public var credential: OAuthCredential? { nil }

    init(_ user: User, _ additionalUserInfo: AdditionalUserInfo) {
        self.user = user
        self.additionalUserInfo = additionalUserInfo
    }
}

/// Information about a sign-in, apart from the user.
public final class AdditionalUserInfo: NSObject, Sendable {
    /// How the user signed in, such as `phone`.
    public let providerID: String
    /// Whether the sign-in created the account.
    public let isNewUser: Bool
    /// See ``isNewUser``.
    public func newUser() -> Bool { isNewUser }
    /// Kept for source compatibility: always nil, because Dialtone has no identity providers.
    public var profile: [String: Any]? { nil }
    /// Kept for source compatibility: always nil, because Dialtone has no identity providers.
    public var username: String? { nil }

    init(_ providerID: String, isNewUser: Bool) {
        self.providerID = providerID
        self.isNewUser = isNewUser
    }
}
