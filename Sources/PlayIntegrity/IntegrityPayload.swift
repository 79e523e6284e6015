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
        let request = payload["requestDetails"]?.object
        requestPackageName = request?["requestPackageName"]?.text
        nonce = request?["nonce"]?.text
        // Google writes 64-bit integers as strings.
        timestamp = request?["timestampMillis"]?.wholeNumber
        let app = payload["appIntegrity"]?.object
        packageName = app?["packageName"]?.text
        certificateDigests = app?["certificateSha256Digest"]?.elements?.compactMap(\.text) ?? []
        let device = payload["deviceIntegrity"]?.object
        let account = payload["accountDetails"]?.object
        let single = [app?["appRecognitionVerdict"]?.text, account?["appLicensingVerdict"]?.text]
        let several = device?["deviceRecognitionVerdict"]?.elements?.map(\.text) ?? []
        verdicts = Set((single + several).compactMap(\.self))
        let activity = device?["recentDeviceActivity"]?.object?["deviceActivityLevel"]
        isDeviceVeryActive = activity == .string("LEVEL_4")
    }
}

/// A Play Integrity token, parsed but not decrypted: a JWE in compact serialization (RFC 7516 § 7.1) with the
/// algorithms that Google documents.
///
/// Replayed tokens are recognized by their text, so each token must have only one valid text. Base64url must be
/// canonical, and each part has its fixed length: otherwise, bytes could move from the ciphertext to the tag.
struct SealedIntegrityToken: Sendable, Confidential {
    /// The maximum length of a token. Real tokens are about a quarter as long.
    static let maximumByteCount = 8192

    /// The header as it is encoded in the text. The tag also authenticates it.
    let encodedHeader: [UInt8]
    /// The content key, wrapped with A256KW: 32 bytes and 8 more.
    let wrappedKey: [UInt8]
    /// The nonce of A256GCM: 12 bytes.
    let nonce: [UInt8]
    let ciphertext: [UInt8]
    /// The tag of A256GCM: 16 bytes.
    let tag: [UInt8]

    /// Parses a token; returns nil if the text is not such a token. The algorithms are pinned (RFC 8725 § 3.1).
    /// Compressed contents and critical extensions are rejected.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 5, let headerBytes = Base64URL.decode(parts[0]),
            let header = JSONObject(parsing: headerBytes, maximumDepth: 4),
            header["alg"] == .string("A256KW"), header["enc"] == .string("A256GCM"), header["zip"] == nil,
            header["crit"] == nil,
            let wrappedKey = Base64URL.decode(parts[1]), wrappedKey.count == 40,
            let nonce = Base64URL.decode(parts[2]), nonce.count == 12,
            let ciphertext = Base64URL.decode(parts[3]), !ciphertext.isEmpty,
            let tag = Base64URL.decode(parts[4]), tag.count == 16
        else { return nil }
        encodedHeader = Array(parts[0])
        self.wrappedKey = wrappedKey
        self.nonce = nonce
        self.ciphertext = ciphertext
        self.tag = tag
    }
}
