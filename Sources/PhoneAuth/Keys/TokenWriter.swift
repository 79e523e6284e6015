internal import Encodings
internal import RedisScripts

/// Writes the fields of an opaque token, whose text is base64url; ``TokenReader`` reads them in the same order.
///
/// ```swift
/// var token = TokenWriter(format: 1)
/// token.append(id)
/// token.append(expiresAt)
/// try token.seal(number, context: { context($0, project) }, keys, environment)
/// return token.text
/// ```
struct TokenWriter {
    private(set) var bytes: [UInt8] = []

    /// Begins a token with its format, which distinguishes it from other kinds and versions of tokens.
    init(format: UInt8) {
        bytes.reserveCapacity(128)
        bytes.append(format)
    }

    mutating func append(_ field: some Collection<UInt8>) { bytes.append(contentsOf: field) }

    /// Appends a number, big-endian.
    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ shard: Shard) { append(shard.index) }

    /// Appends the random part of an id.
    mutating func append(_ id: RandomID<some Any>) { append(id.bytes) }

    /// Appends the shard and the random part of an id.
    mutating func append(_ id: PushReceiptID) {
        append(id.shard)
        append(id.bytes)
    }

    /// Appends a value that only this deployment can read. `context` receives all previous fields, so that the seal can
    /// authenticate them, too.
    mutating func seal(
        _ plaintext: [UInt8],
        context: (_ header: [UInt8]) -> SealingContext,
        _ keys: ServerKeys,
        _ environment: Environment
    ) throws(CryptographyFailure) {
        append(try keys.data.seal(plaintext, context: context(bytes), environment))
    }

    var text: String { Base64URL.string(bytes) }
}
