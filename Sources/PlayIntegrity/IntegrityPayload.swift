internal import Encodings

/// The payload of a decoded token. Fields that Google did not evaluate are missing.
struct IntegrityPayload: Sendable, Equatable {
    /// The package that requested the token.
    let requestPackageName: String?
    /// The nonce of the request, in Base64. Tokens of standard requests have none.
    let nonce: String?
    /// When the token was requested, in milliseconds since the Unix epoch.
    let timestamp: Int64?
    /// The package that Google determined.
    let packageName: String?
    /// The SHA-256 of each certificate that the app was signed with, in Base64.
    let certificateDigests: [String]
    /// All verdicts about the app, the device and the account, by Google's names.
    let verdicts: Set<String>
    /// Whether the device requested so many tokens in the last hour that Google reports its highest activity level.
    /// Google reports levels only if the operator has enabled them in the Play Console.
    let isDeviceVeryActive: Bool

    /// Reads the payload of a decoded token. A field whose type differs from the documentation counts as missing.
    init(_ payload: JSONObject) {
        requestPackageName = payload.text("requestDetails", "requestPackageName")
        nonce = payload.text("requestDetails", "nonce")
        timestamp = payload.integer("requestDetails", "timestampMillis")
        packageName = payload.text("appIntegrity", "packageName")
        certificateDigests = payload.texts("appIntegrity", "certificateSha256Digest")
        let single = [
            payload.text("appIntegrity", "appRecognitionVerdict"),
            payload.text("accountDetails", "appLicensingVerdict"),
        ]
        verdicts = Set(single.compactMap { $0 } + payload.texts("deviceIntegrity", "deviceRecognitionVerdict"))
        isDeviceVeryActive =
            payload.text("deviceIntegrity", "recentDeviceActivity", "deviceActivityLevel") == "LEVEL_4"
    }
}

extension JSONObject {
    fileprivate func text(_ path: String...) -> String? {
        guard case .string(let text) = self[path: path] else { return nil }
        return text
    }

    fileprivate func texts(_ path: String...) -> [String] {
        guard case .array(let elements) = self[path: path] else { return [] }
        return elements.compactMap { element in
            guard case .string(let text) = element else { return nil }
            return text
        }
    }

    /// Returns an integer. Google writes 64-bit integers as strings.
    fileprivate func integer(_ path: String...) -> Int64? { self[path: path]?.wholeNumber }
}
