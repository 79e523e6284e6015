import Encodings
import TestBrowser
import TestServers

/// One of Google's discovery documents: the name and type of each field, and the words of enumerations. The Python
/// package `google-api-python-client` contains those of the Identity Toolkit API.
struct PublishedSchema {
    /// An operation, such as `POST v1/accounts:lookup`.
    struct Method {
        let name: String
        /// The type of its response; nil if the document has none.
        let response: JSONObject?
    }

    private let schemas: JSONObject
    let methods: [Method]

    /// Reads the document of a version, such as `v1`.
    init(_ version: String) throws {
        let script = """
            import pathlib, googleapiclient
            folder = pathlib.Path(googleapiclient.__file__).parent / "discovery_cache" / "documents"
            print((folder / "identitytoolkit.\(version).json").read_text(encoding="utf-8"))
            """
        guard case .object(let document) = try JSONValue.parse(Array(try Python.run(["-c", script]).utf8)) else {
            throw ServerFailure(description: "the document of \(version) is not an object")
        }
        schemas = document.object("schemas")
        methods = Self.methods(of: document)
    }

    private static func methods(of object: JSONObject) -> [Method] {
        let own = objects(in: object.object("methods")).map { method in
            let flat = method.text("flatPath")
            let response = method.object("response")
            return Method(
                name: method.text("httpMethod") + " " + (flat.isEmpty ? method.text("path") : flat),
                response: response.members.isEmpty ? nil : response
            )
        }
        return own + objects(in: object.object("resources")).flatMap(methods)
    }

    private static func objects(in object: JSONObject) -> [JSONObject] {
        object.members.compactMap { if case .object(let value) = $0.value { value } else { nil } }
    }

    /// Returns how a value differs from a type, one line for each field.
    func differences(_ value: JSONValue, from type: JSONObject, at path: String = "") -> [String] {
        if type["$ref"] != nil {
            let name = type.text("$ref")
            return differences(value, from: schemas.object(name), at: Self.short(name))
        }
        switch (type.text("type"), value) {
        case ("object", .object(let object)):
            return object.members.flatMap { name, value in
                let member = type.object("properties")[name] ?? type["additionalProperties"]
                guard case .object(let type) = member else { return ["\(path).\(name) is not published"] }
                return differences(value, from: type, at: "\(path).\(name)")
            }
        case ("array", .array(let elements)):
            return elements.flatMap { differences($0, from: type.object("items"), at: path) }
        case ("string", .string(let text)):
            return isValid(text, type) ? [] : ["\(path) is \(text)"]
        case ("integer", .number(let text)) where Int32(text) != nil: return []
        case ("number", .number), ("boolean", .bool), ("any", _): return []
        case (let name, _):
            return ["\(path) is not of the type \(name)"]
        }
    }

    private func isValid(_ text: String, _ type: JSONObject) -> Bool {
        if case .array(let words) = type["enum"], !words.contains(.string(text)) { return false }
        // Only version 3 has them: the words of `kind`.
        if case .string(let word) = type["default"], word != text { return false }
        switch type.text("format") {
        case "": return true
        case "int64": return Int64(text).map { String($0) == text } == true
        case "google-datetime": return Instant(rfc3339: text) != nil
        case "byte": return Base64.decode(eitherAlphabet: text.utf8) != nil
        case let format: fatalError("unknown format \(format)")
        }
    }

    /// Returns the name of a schema without the prefix of its API.
    private static func short(_ name: String) -> String {
        let prefix = "GoogleCloudIdentitytoolkit"
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }
}
