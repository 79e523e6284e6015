internal import Crypto
internal import Encodings

/// Why a key file cannot be used. The description names the field; it never holds a key.
public struct KeyFileError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in one line.
    public let description: String
}

/// A deployment's secrets as they stand in the key file.
///
/// ```json
/// {"version": 1,
///  "serverKey": "…", "indexKey": "…",
///  "dataKeys": [{"id": 1, "key": "…"}],
///  "signingKeys": [{"id": "…", "privateKey": "-----BEGIN …", "certificate": "-----BEGIN …"}],
///  "activeSigningKey": "…"}
/// ```
/// Symmetric keys are 32 bytes, base64url. Codes are derived under `serverKey`; numbers are hashed under `indexKey` in the
/// names of Redis keys, so neither of the two can be replaced without ending open sessions or losing accounts.
public enum KeyFile {
    /// How many bytes a symmetric key has.
    public static let symmetricKeyByteCount = 32

    /// The text of a new key file around one signing key.
    public static func make(
        signingKey: (id: String, privateKey: String, certificate: String),
        _ environment: Environment
    )
        -> [UInt8]
    {
        let newKey = { Base64URL.string(environment.randomBytes(symmetricKeyByteCount)) }
        return JSONWriter.object { json in
            json.member("version", 1)
            json.member("serverKey", newKey())
            json.member("indexKey", newKey())
            json.array("dataKeys") { json in
                json.object { json in
                    json.member("id", 1)
                    json.member("key", newKey())
                }
            }
            json.array("signingKeys") { json in
                json.object { json in
                    json.member("id", signingKey.id)
                    json.member("privateKey", signingKey.privateKey)
                    json.member("certificate", signingKey.certificate)
                }
            }
            json.member("activeSigningKey", signingKey.id)
        }
    }

    /// Reads a key file.
    /// - Throws: ``KeyFileError`` naming the field that is missing or malformed.
    public static func parse(_ text: [UInt8]) throws(KeyFileError) -> ServerKeys {
        guard let document = try? JSONValue.parse(text), case .object(let file) = document else {
            throw KeyFileError(description: "the key file is not a JSON object")
        }
        guard file["version"] == .number("1") else { throw KeyFileError(description: "version: expected 1") }

        let dataKeys = try entries("dataKeys", of: file) { (entry, path) throws(KeyFileError) in
            guard case .number(let text) = entry["id"], let id = UInt8(text) else {
                throw KeyFileError(description: "\(path).id: expected a number from 0 to 255")
            }
            return (id, try symmetricKey("key", of: entry, at: path + "."))
        }
        guard let data = DataKeys(dataKeys) else { throw KeyFileError(description: "dataKeys: an id stands twice") }

        let signingKeys = try entries("signingKeys", of: file) { (entry, path) throws(KeyFileError) in
            let key = SigningKey(
                id: try string("id", of: entry, at: path + "."),
                privateKey: try string("privateKey", of: entry, at: path + "."),
                certificate: try string("certificate", of: entry, at: path + ".")
            )
            guard let key else {
                throw KeyFileError(description: "\(path).privateKey: expected an RSA key of at least 2048 bits as PEM")
            }
            return key
        }
        guard Set(signingKeys.map(\.id)).count == signingKeys.count else {
            throw KeyFileError(description: "signingKeys: an id stands twice")
        }
        let activeID = try string("activeSigningKey", of: file)
        guard let active = signingKeys.first(where: { $0.id == activeID }) else {
            throw KeyFileError(description: "activeSigningKey: names none of signingKeys")
        }
        return ServerKeys(
            serverKey: try symmetricKey("serverKey", of: file),
            indexKey: try symmetricKey("indexKey", of: file),
            data: data,
            signingKeys: signingKeys,
            activeSigningKey: active
        )
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
            throw KeyFileError(description: "\(path)\(name): expected a text")
        }
        return text
    }

    private static func symmetricKey(
        _ name: String,
        of object: JSONObject,
        at path: String = ""
    ) throws(KeyFileError) -> SymmetricKey {
        let text = try string(name, of: object, at: path)
        guard let bytes = Base64URL.decode(text.utf8), bytes.count == symmetricKeyByteCount else {
            throw KeyFileError(description: "\(path)\(name): expected \(symmetricKeyByteCount) bytes in base64url")
        }
        return SymmetricKey(data: bytes)
    }
}
