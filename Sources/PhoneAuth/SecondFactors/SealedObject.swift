internal import Encodings

/// A JSON object that only this deployment can read, issued as text: base64url of format (1 byte) ‖ sealed JSON.
/// Stateless: the server stores nothing.
///
/// It opens only in the project and for the use for which it was sealed.
enum SealedObject {
    private static let format: UInt8 = 1
    private static let maximumByteCount = 2048

    static func text(
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys,
        _ environment: Environment,
        _ write: (inout JSONWriter) -> Void
    ) throws(CryptographyFailure) -> String {
        let sealed = try keys.data.seal(
            JSONWriter.object(write),
            context: context(use, project),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
        return Base64URL.string([format] + sealed)
    }

    /// Opens a text; nil unless this deployment made it for this use in this project.
    static func open(_ text: String, for use: StaticString, in project: Project, _ keys: ServerKeys) -> JSONObject? {
        guard text.utf8.count <= maximumByteCount, let bytes = Base64URL.decode(text.utf8), bytes.first == format,
            let opened = keys.data.open(bytes.dropFirst(), context: context(use, project)),
            case .object(let object) = try? JSONValue.parse(opened)
        else { return nil }
        return object
    }

    private static func context(_ use: StaticString, _ project: Project) -> [UInt8] {
        Array("\(use)/\(project.id)".utf8)
    }
}

extension JSONObject {
    func integer(_ name: String) -> Int64? {
        guard case .number(let text) = self[name] else { return nil }
        return Int64(text)
    }
}
