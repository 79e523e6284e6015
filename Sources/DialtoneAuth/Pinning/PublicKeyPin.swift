internal import Foundation

/// A pin: the SHA-256 of a certificate's SubjectPublicKeyInfo, as in RFC 7469 § 2.4. A new certificate with the same
/// key has the same pin.
struct PublicKeyPin: Hashable, Sendable {
    private let digest: [UInt8]

    /// Parses a pin in base64 or in hexadecimal, also after `sha256/` or `sha256//`.
    init?(_ text: String) {
        let prefix = ["sha256//", "sha256/"].first { text.hasPrefix($0) } ?? ""
        let rest = String(text.dropFirst(prefix.count))
        // Of 32 bytes, base64 has 44 characters, and hexadecimal 64.
        let bytes = rest.utf8.count == 64 ? hexadecimalBytes(of: rest) : Self.base64Bytes(of: rest)
        guard let bytes, bytes.count == 32 else { return nil }
        digest = bytes
    }

    /// Foundation ignores more padding than needed.
    private static func base64Bytes(of text: String) -> [UInt8]? {
        Data(base64Encoded: text).flatMap { $0.base64EncodedString() == text ? Array($0) : nil }
    }

    /// Makes the pin of a certificate's public key; nil if the bytes are no certificate.
    ///
    /// - Parameter certificate: the certificate in DER.
    init?(ofCertificate certificate: [UInt8]) {
        guard let info = Self.publicKeyInfo(of: certificate) else { return nil }
        digest = sha256(Array(info))
    }

    /// Returns the SubjectPublicKeyInfo of a certificate (RFC 5280 § 4.1); nil if the bytes are no certificate.
    private static func publicKeyInfo(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var file = DERReader(certificate[...])
        guard var signed = file.read(.sequence)?.reader, file.isAtEnd, var body = signed.read(.sequence)?.reader,
            signed.read(.sequence) != nil, signed.read(.bitString) != nil, signed.isAtEnd
        else { return nil }
        if body.isNext(.version), body.read(.version) == nil { return nil }
        // Serial number, signature algorithm, issuer, validity and subject.
        guard body.read(.integer) != nil, (0..<4).allSatisfy({ _ in body.read(.sequence) != nil }),
            let info = body.read(.sequence)
        else { return nil }
        var key = info.reader
        guard key.read(.sequence) != nil, key.read(.bitString) != nil, key.isAtEnd else { return nil }
        return info.whole
    }
}

/// The public keys that an app accepts of its server.
struct PublicKeyPins: Sendable {
    private let pins: Set<PublicKeyPin>

    /// Why a connection is refused.
    enum Refusal: Sendable {
        /// The system does not trust the certificates.
        case untrusted
        /// No certificate has a pinned key.
        case unpinned

        /// What is wrong, and what to do.
        var description: String {
            switch self {
            case .untrusted: "The server's certificates are not trusted."
            case .unpinned:
                "None of the server's certificates has a pinned public key. Either the connection is intercepted, or "
                    + "the server has a new key: then add its pin to pinnedPublicKeys."
            }
        }
    }

    /// Parses pins; nil if there are none, or one is malformed.
    init?(_ texts: [String]) {
        let pins = texts.compactMap(PublicKeyPin.init)
        guard !pins.isEmpty, pins.count == texts.count else { return nil }
        self.pins = Set(pins)
    }

    /// The number of different pins.
    var count: Int { pins.count }

    /// Returns the number of pins that no certificate of a chain has: those of backups.
    func backupCount(besides certificates: [[UInt8]]) -> Int {
        pins.subtracting(certificates.compactMap(PublicKeyPin.init(ofCertificate:))).count
    }

    /// Compares a server's certificates with the pins.
    ///
    /// - Parameters:
    ///   - certificates: the chain that the system has built, in DER: the server's certificate, those between, and the
    ///     authority's. One pinned key among them suffices.
    ///   - isTrusted: whether the system trusts the chain. Pins add to that, and never replace it.
    /// - Returns: why the connection is refused; nil if it is accepted.
    func refusal(of certificates: [[UInt8]], isTrusted: Bool) -> Refusal? {
        guard isTrusted else { return .untrusted }
        return certificates.compactMap(PublicKeyPin.init(ofCertificate:)).contains(where: pins.contains)
            ? nil : .unpinned
    }
}
