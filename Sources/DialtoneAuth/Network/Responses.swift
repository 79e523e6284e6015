internal import Foundation

/// The tokens of a sign-in, or what the server returns instead of them.
struct SignInResponse: Decodable, Sendable {
    var idToken: String?
    var refreshToken: String?
    var isNewUser: Bool?
    /// With ``temporaryProof``: the number belongs to an account other than that of the request's ID token.
    var phoneNumber: String?
    var temporaryProof: String?
    /// The account requires a second factor.
    var mfaPendingCredential: String?
    var mfaInfo: [FactorResponse]?
}

struct FactorResponse: Codable, Sendable, Equatable {
    struct Empty: Codable, Sendable, Equatable {}

    var mfaEnrollmentId: String
    var displayName: String?
    var enrolledAt: String?
    var phoneInfo: String?
    var totpInfo: Empty?
}

struct LookupResponse: Decodable, Sendable {
    struct Account: Decodable, Sendable {
        struct Provider: Decodable, Sendable {
            var providerId: String
            var rawId: String?
            var phoneNumber: String?
            var email: String?
            var displayName: String?
            var photoUrl: String?
        }

        var localId: String
        var phoneNumber: String?
        var email: String?
        var emailVerified: Bool?
        var displayName: String?
        var photoUrl: String?
        /// Milliseconds since 1970.
        var createdAt: String?
        var lastLoginAt: String?
        var mfaInfo: [FactorResponse]?
        var providerUserInfo: [Provider]?
    }

    var users: [Account]?
}

struct RefreshResponse: Decodable, Sendable {
    var access_token: String
    var refresh_token: String
}

struct SendResponse: Decodable, Sendable {
    struct Session: Decodable, Sendable {
        var sessionInfo: String
        /// Seconds until another message can be requested.
        var resendAfter: String?
    }

    /// From `accounts:sendVerificationCode`.
    var sessionInfo: String?
    /// Seconds until another message can be requested; from `accounts:sendVerificationCode`.
    var resendAfter: String?
    /// From `mfaEnrollment:start`.
    var phoneSessionInfo: Session?
    /// From `mfaSignIn:start`.
    var phoneResponseInfo: Session?
}

struct TOTPStartResponse: Decodable, Sendable {
    struct Session: Decodable, Sendable {
        var sharedSecretKey: String
        var verificationCodeLength: Int?
        var hashingAlgorithm: String?
        var periodSec: Int?
        var sessionInfo: String
    }

    var totpSessionInfo: Session
}

struct ActionCodeResponse: Decodable, Sendable {
    var requestType: String?
    var email: String?
    var newEmail: String?
}

struct SignInMethodsResponse: Decodable, Sendable {
    var signinMethods: [String]?
}

struct VerifyClientResponse: Decodable, Sendable {
    var receipt: String
    /// In seconds.
    var suggestedTimeout: String
}

struct ChallengeAnswerResponse: Decodable, Sendable {
    /// For a web app.
    var token: String?
    /// For a registered app: the link with which the challenge page would open the app.
    var location: String?
}

struct ProjectResponse: Decodable, Sendable {
    var projectId: String?
}

struct ParseNumberResponse: Decodable, Sendable {
    /// In E.164 form.
    var phoneNumber: String?
    /// Whether the project sends messages to the number's region.
    var regionAllowed: Bool?
    /// Whether the project sends messages to the number. Numbers newer than the server's numbering data may be, too.
    var accepted: Bool?
}

struct SignInConfigResponse: Decodable, Sendable {
    /// A region to which the project sends messages, encoded as an array of code, calling code and example number.
    struct Region: Decodable, Sendable {
        var code: String
        var callingCode: Int
        var example: String

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            code = try list.decode(String.self)
            callingCode = try list.decode(Int.self)
            example = try list.decode(String.self)
            guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5a).contains($0) }),
                (1...999).contains(callingCode), example.utf8.count <= 20
            else { throw DecodingError.dataCorruptedError(in: list, debugDescription: "not a region") }
        }
    }

    var regions: [Region]
}

/// A response without content.
struct EmptyResponse: Decodable, Sendable {}
