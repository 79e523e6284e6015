internal import Cryptography
internal import Encodings
internal import PhoneAuth

/// The requirements that a Play Integrity token must meet to prove an app.
public struct IntegrityRequirements: Sendable {
    /// The verdicts that are required by default: a version of the app that Google Play distributed, on a genuine
    /// device.
    public static let standardVerdicts: [IntegrityVerdict] = [.playRecognized, .meetsDeviceIntegrity]

    private let certificateDigests: Set<[UInt8]>
    private let verdicts: Set<String>

    /// Creates the requirements of an app.
    ///
    /// - Parameters:
    ///   - certificateDigests: the SHA-256 of each certificate that the app may be signed with.
    ///   - verdicts: the verdicts that a token must contain, all of them.
    public init(certificateDigests: [CertificateDigest], verdicts: [IntegrityVerdict]) {
        self.certificateDigests = Set(certificateDigests.map(\.bytes))
        self.verdicts = Set(verdicts.map(\.rawValue))
    }

    /// Returns why a decoded token does not prove the app that sent it; nil if it does.
    func refusal(of payload: IntegrityPayload, for request: IntegrityTokenRequest) -> InvalidAppCredential? {
        guard payload.requestPackageName == request.packageName else { return .integrityPackageOther }
        guard isNonce(payload.nonce, of: request.subjects) else { return .integrityNonceOther }
        guard let timestamp = payload.timestamp else { return .integrityTimeOutside }
        let now = request.now.milliseconds
        let earliest = now - IntegrityTokenRequest.maximumAge.milliseconds
        let latest = now + IntegrityTokenRequest.clockTolerance.milliseconds
        guard (earliest...latest).contains(timestamp) else { return .integrityTimeOutside }
        // Google omits both fields if it has not evaluated the app.
        guard verdicts.isSubset(of: payload.verdicts) else { return .integrityVerdictMissing }
        guard payload.packageName == request.packageName else { return .integrityPackageOther }
        let digests = payload.certificateDigests.compactMap { Base64.decode(eitherAlphabet: $0.utf8) }
        guard digests.contains(where: certificateDigests.contains) else { return .integrityCertificateOther }
        return payload.isDeviceVeryActive ? .integrityDeviceTooActive : nil
    }

    /// Returns whether a nonce is the SHA-256 of one of the texts. The SDK writes the hash in Base64url without
    /// padding.
    private func isNonce(_ nonce: String?, of subjects: [String]) -> Bool {
        guard let nonce, let bytes = Base64.decode(eitherAlphabet: nonce.utf8) else { return false }
        return subjects.contains { equalInConstantTime(bytes, SHA256.hash(Array($0.utf8))) }
    }
}

/// The SHA-256 of a signing certificate, as the Play Console and `keytool` show it.
public struct CertificateDigest: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Parses 32 bytes in hexadecimal digits of either case, with or without colons between them; returns nil for
    /// anything else.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.decode(text.filter { $0 != ":" }), bytes.count == SHA256.byteCount else {
            return nil
        }
        self.bytes = bytes
    }

    /// The digits, without colons.
    public var description: String { Hexadecimal.encode(bytes) }
}

/// A verdict of Play Integrity that an operator may require.
public enum IntegrityVerdict: String, Sendable, CaseIterable, CustomStringConvertible {
    /// The app and its certificate match a version that Google Play distributed.
    case playRecognized = "PLAY_RECOGNIZED"
    /// The user got the app from Google Play.
    case licensed = "LICENSED"
    /// The device passes basic checks; it may be uncertified.
    case meetsBasicIntegrity = "MEETS_BASIC_INTEGRITY"
    /// The device is a genuine, certified Android device.
    case meetsDeviceIntegrity = "MEETS_DEVICE_INTEGRITY"
    /// The device also has recent security updates, or a hardware-backed proof of boot integrity.
    case meetsStrongIntegrity = "MEETS_STRONG_INTEGRITY"

    /// Google's name for the verdict.
    public var description: String { rawValue }
}
