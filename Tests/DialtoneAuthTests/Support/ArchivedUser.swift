import Foundation

/// A user as the Firebase SDK archives it, with the SDK's class names and keys.
final class ArchivedUser: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true

    private let uid: String
    private let tokens: ArchivedTokenService

    private init(_ uid: String, _ tokens: ArchivedTokenService) {
        self.uid = uid
        self.tokens = tokens
    }

    init?(coder _: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(uid as Any?, forKey: "userID")
        coder.encode(false, forKey: "anonymous")
        coder.encode(false, forKey: "hasEmailPassword")
        coder.encode(NSDictionary() as Any?, forKey: "providerData")
        coder.encode("+16505550101" as Any?, forKey: "phoneNumber")
        coder.encode(false, forKey: "emailVerified")
        coder.encode(ArchivedMetadata() as Any?, forKey: "metadata")
        coder.encode("the API key" as Any?, forKey: "APIKey")
        coder.encode("1:123:ios:abc" as Any?, forKey: "firebaseAppID")
        coder.encode(tokens as Any?, forKey: "tokenService")
    }

    /// Returns the archive of a user.
    static func archive(
        _ uid: String,
        refreshToken: String = "firebase-refresh",
        idToken: String = "firebase-id-token",
        key: String = "__FIRAPP_DEFAULT_firebase_user",
        isSecure: Bool = true
    ) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: isSecure)
        archiver.setClassName("FIRUser", for: ArchivedUser.self)
        archiver.setClassName("FIRSecureTokenService", for: ArchivedTokenService.self)
        archiver.setClassName("FIRUserMetadata", for: ArchivedMetadata.self)
        archiver.encode(ArchivedUser(uid, ArchivedTokenService(refreshToken, idToken)), forKey: key)
        archiver.finishEncoding()
        return archiver.encodedData
    }
}

// These classes are not nested, because the archiver supports only the names of top-level classes.

final class ArchivedTokenService: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true

    let refreshToken: String
    let idToken: String

    init(_ refreshToken: String, _ idToken: String) {
        self.refreshToken = refreshToken
        self.idToken = idToken
    }

    init?(coder _: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode("the API key" as Any?, forKey: "APIKey")
        coder.encode(refreshToken as Any?, forKey: "refreshToken")
        coder.encode(idToken as Any?, forKey: "accessToken")
        coder.encode(NSDate(timeIntervalSince1970: 1_700_000_000) as Any?, forKey: "accessTokenExpirationDate")
    }
}

final class ArchivedMetadata: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true

    override init() {}

    init?(coder _: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSDate(timeIntervalSince1970: 1_600_000_000) as Any?, forKey: "creationDate")
    }
}
