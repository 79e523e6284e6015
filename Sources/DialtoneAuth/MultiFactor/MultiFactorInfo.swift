public import Foundation

/// The kind of phones as second factors; see ``MultiFactorInfo/factorID``.
public let PhoneMultiFactorID = "phone"
/// The kind of authenticator apps as second factors; see ``MultiFactorInfo/factorID``.
public let TOTPMultiFactorID = "totp"

/// A second factor.
public class MultiFactorInfo: NSObject, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: all properties, those of the module's subclasses included, are constants of
    // Sendable types. The class cannot be subclassed elsewhere.

    /// The factor's ID.
    public let uid: String
    /// The name that the user gave the factor.
    public let displayName: String?
    /// When the factor was enrolled.
    public let enrollmentDate: Date
    /// The factor's kind: `phone` or `totp`.
    public let factorID: String

    init(_ response: FactorResponse, factorID: String) {
        uid = response.mfaEnrollmentId
        displayName = response.displayName
        enrollmentDate = response.enrolledAt.flatMap(Self.date) ?? Date(timeIntervalSince1970: 0)
        self.factorID = factorID
    }

    static func make(_ response: FactorResponse) -> MultiFactorInfo {
        if let phoneInfo = response.phoneInfo { return PhoneMultiFactorInfo(response, phoneInfo) }
        return TOTPMultiFactorInfo(response)
    }

    /// Parses RFC 3339, with or without fractions of a second.
    private static func date(of text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        if let date = formatter.date(from: text) { return date }
        formatter.formatOptions = [.withInternetDateTime]
        return formatter.date(from: text)
    }
}

extension MultiFactorInfo: CustomReflectable {
    /// Empty, because phone numbers must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A phone as a second factor.
public final class PhoneMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: see MultiFactorInfo.

    /// The kind of phones.
    public static let PhoneMultiFactorID = "phone"
    /// The kind of authenticator apps.
    public static let TOTPMultiFactorID = "totp"

    /// The number. In a resolver's hints, only its last digits are visible.
    public let phoneNumber: String

    init(_ response: FactorResponse, _ phoneNumber: String) {
        self.phoneNumber = phoneNumber
        super.init(response, factorID: Self.PhoneMultiFactorID)
    }
}

/// An authenticator app as a second factor.
public final class TOTPMultiFactorInfo: MultiFactorInfo, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: see MultiFactorInfo. This class adds no property.

    init(_ response: FactorResponse) { super.init(response, factorID: PhoneMultiFactorInfo.TOTPMultiFactorID) }
}
