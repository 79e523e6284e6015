internal import Foundation

/// A pin: the SHA-256 of a certificate's SubjectPublicKeyInfo, as in RFC 7469 § 2.4. A new certificate with the same
/// key has the same pin.
struct PublicKeyPin: Hashable, Sendable {
    private let digest: [UInt8]

    /// Parses a pin in Base64 or hexadecimal, with or without the prefix `sha256/` or `sha256//`.
    init?(_ text: String) {
        let prefix = ["sha256//", "sha256/"].first { text.hasPrefix($0) } ?? ""
        let rest = String(text.dropFirst(prefix.count))
        // 32 bytes are 44 characters in Base64, and 64 in hexadecimal.
        let bytes = rest.utf8.count == 64 ? hexadecimalBytes(of: rest) : Self.base64Bytes(of: rest)
        guard let bytes, bytes.count == 32 else { return nil }
        digest = bytes
    }

    /// Compares the encoded form, because Foundation ignores excess padding.
    private static func base64Bytes(of text: String) -> [UInt8]? {
        Data(base64Encoded: text).flatMap { $0.base64EncodedString() == text ? Array($0) : nil }
    }

    /// Creates the pin of a certificate's public key; returns nil if the bytes are not a certificate.
    ///
    /// - Parameter certificate: the certificate in DER form.
    init?(ofCertificate certificate: [UInt8]) {
        guard let info = Self.publicKeyInfo(of: certificate) else { return nil }
        digest = sha256(Array(info))
    }

    /// Returns the SubjectPublicKeyInfo of a certificate (RFC 5280 § 4.1); nil if the bytes are not a certificate.
    private static func publicKeyInfo(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var file = DERReader(certificate[...])
        guard var signed = file.read(.sequence)?.reader, file.isAtEnd, var body = signed.read(.sequence)?.reader,
            signed.read(.sequence) != nil, signed.read(.bitString) != nil, signed.isAtEnd
        else { return nil }
        if body.isNext(.version), body.read(.version) == nil { return nil }
        // The serial number, then the signature algorithm, the issuer, the validity and the subject.
        guard body.read(.integer) != nil, (0..<4).allSatisfy({ _ in body.read(.sequence) != nil }),
            let info = body.read(.sequence)
        else { return nil }
        var key = info.reader
        guard key.read(.sequence) != nil, key.read(.bitString) != nil, key.isAtEnd else { return nil }
        return info.whole
    }
}

/// The pins of the public keys that an app accepts from its server.
struct PublicKeyPins: Sendable {
    private let pins: Set<PublicKeyPin>

    /// Why a connection was rejected.
    enum Refusal: Sendable {
        /// The system does not trust the certificates.
        case untrusted
        /// No certificate contains a pinned key.
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

    /// Parses pins; returns nil if there are none, or if one is malformed.
    init?(_ texts: [String]) {
        let pins = texts.compactMap(PublicKeyPin.init)
        guard !pins.isEmpty, pins.count == texts.count else { return nil }
        self.pins = Set(pins)
    }

    /// The number of different pins.
    var count: Int { pins.count }

    /// Returns the number of pins that match no certificate of a chain: the backups.
    func backupCount(besides certificates: [[UInt8]]) -> Int {
        pins.subtracting(certificates.compactMap(PublicKeyPin.init(ofCertificate:))).count
    }

    /// Compares a server's certificates with the pins.
    ///
    /// - Parameters:
    ///   - certificates: the chain that the system has built, in DER form: the server's certificate, the intermediate
    ///     certificates, and the root. One pinned key in the chain suffices.
    ///   - isTrusted: whether the system trusts the chain. Pins are an additional condition, and never replace trust.
    /// - Returns: why the connection is rejected; nil if it is accepted.
    func refusal(of certificates: [[UInt8]], isTrusted: Bool) -> Refusal? {
        guard isTrusted else { return .untrusted }
        return certificates.compactMap(PublicKeyPin.init(ofCertificate:)).contains(where: pins.contains)
            ? nil : .unpinned
    }
}

/// A reader of the elements of a DER encoding (ASN.1, X.690), in order.
struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
        /// Explicitly tagged with 0, such as a certificate's version.
        case version = 0xa0
    }

    /// An element.
    struct Element {
        let contents: ArraySlice<UInt8>
        /// Tag, length and contents.
        let whole: ArraySlice<UInt8>

        /// Returns a reader of the elements in the contents.
        var reader: DERReader { DERReader(contents) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns whether the next element has this tag.
    func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// Reads the next element; returns nil if it has another tag or is not valid DER.
    mutating func read(_ tag: Tag) -> Element? {
        var remaining = rest
        guard remaining.popFirst() == tag.rawValue, let first = remaining.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // Three bytes suffice for 16 MiB, which is more than any certificate has and fits every `Int`.
            let count = Int(first & 0x7f)
            guard (1...3).contains(count), remaining.count >= count, remaining.first != 0 else { return nil }
            length = remaining.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            remaining = remaining.dropFirst(count)
            guard length >= 0x80 else { return nil }
        }
        guard remaining.count >= length else { return nil }
        let contents = remaining.prefix(length)
        let element = Element(contents: contents, whole: rest[rest.startIndex..<contents.endIndex])
        rest = rest[contents.endIndex...]
        return element
    }
}
