internal import Cryptography
public import Encodings
internal import RedisScripts

/// Why a key file cannot be used. The description names the field; it never holds a key.
public struct KeyFileError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in one line.
    public let description: String
}

/// A deployment's secrets in the form of the key file.
///
/// ```json
/// {"version": 1,
///  "serverKey": "…",
///  "indexKeys": [{"id": 1, "key": "…"}],
///  "dataKeys": [{"id": 1, "key": "…"}],
///  "signingKeys": [{"id": "…", "privateKey": "-----BEGIN …", "certificate": "-----BEGIN …", "signsFrom": 1767225600}]}
/// ```
/// - Symmetric keys are 32 bytes, base64url.
/// - `indexKeys` hash numbers and e-mail addresses in the names of Redis keys. Redis states which one is in force
///   (`MoveIndexKey.swift`). The others find older recovery codes and audit events.
/// - `dataKeys` are generations of secrets (``SecretKeys``). A generation added by a rotation has its own `serverKey`,
///   and `usedFrom` says when it comes into use. Others use the file's `serverKey`.
/// - `signsFrom` is when a key begins to sign, in seconds since the Unix epoch. One key may lack it, and signs until
///   another begins.
///
/// `KeyFile+Rotation.swift` changes the keys.
public enum KeyFile {
    /// The length of a symmetric key, in bytes.
    static let symmetricKeyByteCount = 32

    /// Returns the text of a new key file with one signing key.
    public static func make(signingKey: NewSigningKey, _ environment: Environment) -> [UInt8] {
        let newKey = { Base64URL.string(environment.randomBytes(symmetricKeyByteCount)) }
        return JSONWriter.object { json in
            json.member("version", 1)
            json.member("serverKey", newKey())
            for name in ["indexKeys", "dataKeys"] {
                json.array(name) { json in
                    json.object { json in
                        json.member("id", 1)
                        json.member("key", newKey())
                    }
                }
            }
            json.member("signingKeys", .array([signingKey.entry(signsFrom: environment.now().seconds)]))
        }
    }

    /// Reads a key file.
    /// - Throws: ``KeyFileError`` naming the field that is missing or malformed.
    public static func parse(_ text: [UInt8]) throws(KeyFileError) -> ServerKeys {
        let file = Fields(try object(text))
        let dataKeys = try entries("dataKeys", of: file, \.id) { entry throws(KeyFileError) in
            (
                id: try id(of: entry, from: 0), cipher: try cipher(of: entry),
                codes: entry.members["serverKey"] == nil
                    ? nil : KeyedHash(key: try symmetricKey("serverKey", of: entry)),
                usedFrom: try time("usedFrom", of: entry)
            )
        }
        guard let signingKeys = SigningKeys(try entries("signingKeys", of: file, \.key.id, period)) else {
            throw KeyFileError(description: "signingKeys: only one key may lack signsFrom")
        }
        let serverKey = KeyedHash(key: try symmetricKey("serverKey", of: file))
        let generations = dataKeys.map {
            SecretKeys.Generation(
                id: $0.id,
                cipher: $0.cipher,
                codes: $0.codes ?? serverKey,
                usedFrom: $0.usedFrom
            )
        }
        guard let secrets = SecretKeys(generations, at: nil) else {
            throw KeyFileError(description: "dataKeys: an id is repeated")
        }
        let indexKeys = try entries("indexKeys", of: file, \.id) { entry throws(KeyFileError) in
            IndexKey(id: try id(of: entry, from: IndexKeyHash.firstID), key: try symmetricKey("key", of: entry))
        }
        guard
            let keys = ServerKeys(
                serverKey: serverKey,
                indexKeys: indexKeys,
                secrets: secrets,
                signingKeys: signingKeys
            )
        else { throw file.failure("indexKeys", .objects) }
        return keys
    }

    static func object(_ text: [UInt8]) throws(KeyFileError) -> JSONObject {
        guard let file = JSONObject(parsing: text) else {
            throw KeyFileError(description: "the key file is not a JSON object")
        }
        guard file["version"] == .number("1") else { throw KeyFileError(description: "version: expected 1") }
        return file
    }

    private typealias Fields = JSONFields<KeyFileError>

    private static func period(_ entry: Fields) throws(KeyFileError) -> SigningKeys.Period {
        let key = SigningKey(
            id: try string("id", of: entry),
            privateKey: try string("privateKey", of: entry),
            certificate: try string("certificate", of: entry)
        )
        guard let key else {
            throw KeyFileError(
                description: "\(entry.place)privateKey: expected an RSA key of at least 2048 bits as PEM"
            )
        }
        return SigningKeys.Period(key: key, signsFrom: try time("signsFrom", of: entry))
    }

    private static func id(of entry: Fields, from first: UInt8) throws(KeyFileError) -> UInt8 {
        guard let id = entry.members["id"]?.integer.flatMap(UInt8.init(exactly:)), id >= first else {
            throw KeyFileError(description: "\(entry.place)id: expected a number from \(first) to 255")
        }
        return id
    }

    /// Returns the time in a member; nil if the entry has no such member.
    private static func time(_ name: String, of entry: Fields) throws(KeyFileError) -> Instant? {
        guard let time = entry.members[name] else { return nil }
        // Twelve digits of seconds cover thirty thousand years and do not overflow as milliseconds.
        guard let seconds = time.integer, (0..<1_000_000_000_000).contains(seconds) else {
            throw KeyFileError(description: "\(entry.place)\(name): expected whole seconds since 1970")
        }
        return Instant(milliseconds: seconds * 1000)
    }

    /// Returns the entries of a list, which have different ids.
    private static func entries<Entry, ID: Hashable>(
        _ name: String,
        of file: Fields,
        _ id: (Entry) -> ID,
        _ read: (Fields) throws(KeyFileError) -> Entry
    ) throws(KeyFileError) -> [Entry] {
        guard let elements = try file.objects(name), !elements.isEmpty else { throw file.failure(name, .objects) }
        let entries = try elements.map(read)
        guard Set(entries.map(id)).count == entries.count else {
            throw KeyFileError(description: "\(name): an id is repeated")
        }
        return entries
    }

    private static func string(_ name: String, of entry: Fields) throws(KeyFileError) -> String {
        guard let text = try entry.nonEmptyText(name) else { throw entry.failure(name, .text) }
        return text
    }

    private static func symmetricKey(_ name: String, of entry: Fields) throws(KeyFileError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try string(name, of: entry).utf8), bytes.count == symmetricKeyByteCount
        else {
            throw KeyFileError(
                description: "\(entry.place)\(name): expected \(symmetricKeyByteCount) bytes in base64url"
            )
        }
        return bytes
    }

    private static func cipher(of entry: Fields) throws(KeyFileError) -> AES256GCM {
        guard let cipher = AES256GCM(key: try symmetricKey("key", of: entry)) else {
            throw KeyFileError(
                description: "\(entry.place)key: expected \(AES256GCM.keyByteCount) bytes in base64url"
            )
        }
        return cipher
    }
}

extension KeyFileError: JSONFailure {
    /// Names the field that has the wrong type or is missing.
    public init(_ fault: JSONFault) {
        let isList = fault.expected == .objects && fault.index == nil
        let type = fault.expected == .text ? "a string" : isList ? "a list of at least one key" : "an object"
        self.init(description: "\(fault.path): expected \(type)")
    }
}
