internal import Cryptography
internal import Encodings
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
        let file = try object(text)
        let dataKeys = try entries("dataKeys", of: file) { (entry, path) throws(KeyFileError) in
            guard case .number(let text) = entry["id"], let id = UInt8(text) else {
                throw KeyFileError(description: "\(path).id: expected a number from 0 to 255")
            }
            return (
                id: id, cipher: try cipher(of: entry, at: path),
                codes: entry["serverKey"] == nil
                    ? nil : KeyedHash(key: try symmetricKey("serverKey", of: entry, at: path + ".")),
                usedFrom: try time("usedFrom", of: entry, at: path)
            )
        }
        guard Set(dataKeys.map(\.id)).count == dataKeys.count else {
            throw KeyFileError(description: "dataKeys: an id is repeated")
        }
        let periods = try entries("signingKeys", of: file, period)
        guard Set(periods.map(\.key.id)).count == periods.count else {
            throw KeyFileError(description: "signingKeys: an id is repeated")
        }
        guard let signingKeys = SigningKeys(periods) else {
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
        let keys = ServerKeys(
            serverKey: serverKey,
            indexKeys: try indexKeys(of: file),
            secrets: secrets,
            signingKeys: signingKeys
        )
        guard let keys else { throw KeyFileError(description: "indexKeys: expected a list of at least one key") }
        return keys
    }

    private static func indexKeys(of file: JSONObject) throws(KeyFileError) -> [IndexKey] {
        let keys = try entries("indexKeys", of: file) { (entry, path) throws(KeyFileError) in
            guard case .number(let text) = entry["id"], let id = UInt8(text), id >= IndexKeyHash.firstID else {
                throw KeyFileError(description: "\(path).id: expected a number from 1 to 255")
            }
            return IndexKey(id: id, key: try symmetricKey("key", of: entry, at: path + "."))
        }
        guard Set(keys.map(\.id)).count == keys.count else {
            throw KeyFileError(description: "indexKeys: an id is repeated")
        }
        return keys
    }

    static func object(_ text: [UInt8]) throws(KeyFileError) -> JSONObject {
        guard let document = try? JSONValue.parse(text), case .object(let file) = document else {
            throw KeyFileError(description: "the key file is not a JSON object")
        }
        guard file["version"] == .number("1") else { throw KeyFileError(description: "version: expected 1") }
        return file
    }

    private static func period(_ entry: JSONObject, at path: String) throws(KeyFileError) -> SigningKeys.Period {
        let key = SigningKey(
            id: try string("id", of: entry, at: path + "."),
            privateKey: try string("privateKey", of: entry, at: path + "."),
            certificate: try string("certificate", of: entry, at: path + ".")
        )
        guard let key else {
            throw KeyFileError(description: "\(path).privateKey: expected an RSA key of at least 2048 bits as PEM")
        }
        return SigningKeys.Period(key: key, signsFrom: try time("signsFrom", of: entry, at: path))
    }

    /// Returns the time in a member; nil if the entry has no such member.
    private static func time(_ name: String, of entry: JSONObject, at path: String) throws(KeyFileError) -> Instant? {
        guard let time = entry[name] else { return nil }
        // Twelve digits of seconds cover thirty thousand years and do not overflow as milliseconds.
        guard case .number(let text) = time, text.utf8.count <= 12, let seconds = Int64(text), seconds >= 0 else {
            throw KeyFileError(description: "\(path).\(name): expected whole seconds since 1970")
        }
        return Instant(milliseconds: seconds * 1000)
    }

    private static func entries<Entry>(
        _ name: String,
        of object: JSONObject,
        _ read: (JSONObject, String) throws(KeyFileError) -> Entry
    ) throws(KeyFileError) -> [Entry] {
        guard case .array(let elements) = object[name], !elements.isEmpty else {
            throw KeyFileError(description: "\(name): expected a list of at least one key")
        }
        var entries: [Entry] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let entry) = element else {
                throw KeyFileError(description: "\(name)[\(index)]: expected an object")
            }
            entries.append(try read(entry, "\(name)[\(index)]"))
        }
        return entries
    }

    private static func string(_ name: String, of object: JSONObject, at path: String = "") throws(KeyFileError)
        -> String
    {
        guard case .string(let text) = object[name], !text.isEmpty else {
            throw KeyFileError(description: "\(path)\(name): expected a string")
        }
        return text
    }

    private static func symmetricKey(
        _ name: String,
        of object: JSONObject,
        at path: String = ""
    ) throws(KeyFileError) -> [UInt8] {
        let text = try string(name, of: object, at: path)
        guard let bytes = Base64URL.decode(text.utf8), bytes.count == symmetricKeyByteCount else {
            throw KeyFileError(description: "\(path)\(name): expected \(symmetricKeyByteCount) bytes in base64url")
        }
        return bytes
    }

    private static func cipher(of entry: JSONObject, at path: String) throws(KeyFileError) -> AES256GCM {
        guard let cipher = AES256GCM(key: try symmetricKey("key", of: entry, at: path + ".")) else {
            throw KeyFileError(description: "\(path).key: expected \(AES256GCM.keyByteCount) bytes in base64url")
        }
        return cipher
    }
}
