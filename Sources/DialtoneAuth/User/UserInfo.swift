public import Foundation

/// Information about a user, or about one of the user's sign-in methods.
public protocol UserInfo: Sendable {
    /// The provider, such as `phone`; `Firebase` for the user as a whole.
    var providerID: String { get }
    /// The identifier at the provider.
    var uid: String { get }
    /// The display name.
    var displayName: String? { get }
    /// The URL of a picture.
    var photoURL: URL? { get }
    /// The e-mail address.
    var email: String? { get }
    /// The phone number in E.164 form.
    var phoneNumber: String? { get }
}

/// One of a user's sign-in methods.
public struct UserInfoOfProvider: UserInfo, Codable, Hashable {
    /// The provider, such as `phone`.
    public let providerID: String
    /// The identifier at the provider, such as the phone number.
    public let uid: String
    /// The display name.
    public let displayName: String?
    /// The URL of a picture.
    public let photoURL: URL?
    /// The e-mail address.
    public let email: String?
    /// The phone number in E.164 form.
    public let phoneNumber: String?
}

extension UserInfoOfProvider: CustomStringConvertible, CustomReflectable {
    /// The provider only: phone numbers and addresses must not reach logs.
    public var description: String { "UserInfoOfProvider(\(providerID))" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// When an account was created, and the last sign-in.
public struct UserMetadata: Sendable, Codable, Hashable {
    /// The last sign-in; nil if unknown.
    public let lastSignInDate: Date?
    /// The creation of the account; nil if unknown.
    public let creationDate: Date?
}

/// The account, as the server reported it.
struct Account: Codable, Sendable, Equatable {
    var uid: String
    var displayName: String?
    var photoURL: URL?
    var email: String?
    var isEmailVerified = false
    var phoneNumber: String?
    var isAnonymous = false
    var providers: [UserInfoOfProvider] = []
    var metadata = UserMetadata(lastSignInDate: nil, creationDate: nil)
    var factors: [FactorResponse] = []
}

extension Account {
    init(_ response: LookupResponse.Account) {
        self.init(
            uid: response.localId,
            displayName: response.displayName,
            photoURL: response.photoUrl.flatMap(URL.init),
            email: response.email,
            isEmailVerified: response.emailVerified ?? false,
            phoneNumber: response.phoneNumber,
            providers: (response.providerUserInfo ?? []).map(UserInfoOfProvider.init),
            metadata: UserMetadata(
                lastSignInDate: response.lastLoginAt.flatMap(Self.date),
                creationDate: response.createdAt.flatMap(Self.date)
            ),
            factors: response.mfaInfo ?? []
        )
    }

    /// Creates an account from the claims of an ID token, until the account can be read.
    init(_ claims: IDTokenClaims) {
        self.init(
            uid: claims.uid,
            displayName: claims.name,
            photoURL: claims.picture.flatMap(URL.init),
            email: claims.email,
            isEmailVerified: claims.isEmailVerified,
            phoneNumber: claims.phoneNumber,
            isAnonymous: claims.signInProvider == "anonymous"
        )
    }

    private static func date(ofMilliseconds text: String) -> Date? {
        Double(text).map { $0 / 1_000 }.flatMap {
            ServerClock.times.contains($0) ? Date(timeIntervalSince1970: $0) : nil
        }
    }
}

extension UserInfoOfProvider {
    init(_ response: LookupResponse.Account.Provider) {
        self.init(
            providerID: response.providerId,
            uid: response.rawId ?? "",
            displayName: response.displayName,
            photoURL: response.photoUrl.flatMap(URL.init),
            email: response.email,
            phoneNumber: response.phoneNumber
        )
    }
}
