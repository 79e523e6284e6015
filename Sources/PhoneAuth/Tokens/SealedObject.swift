internal import Encodings

/// A JSON object that only this deployment can read, issued as text: base64url of format (1 byte) ‖ sealed JSON.
/// Stateless: the server stores nothing.
///
/// It opens only in the project and for the use for which it was sealed.
enum SealedObject {
    private static let format: UInt8 = 1
    private static let maximumByteCount = 2048

    static func text(
        for use: String,
        in project: Project,
        _ keys: ServerKeys,
        _ environment: Environment,
        _ write: (inout JSONWriter) -> Void
    ) throws(CryptographyFailure) -> String {
        var token = TokenWriter(format: format)
        try token.seal(JSONWriter.object(write), context: { _ in context(use, project) }, keys, environment)
        return token.text
    }

    /// Opens a text; nil unless this deployment made it for this use in this project.
    static func open(_ text: String, for use: String, in project: Project, _ keys: ServerKeys) -> JSONObject? {
        guard let token = TokenReader(text, format: format, atMost: maximumByteCount),
            let opened = keys.data.open(token.rest, context: context(use, project))
        else { return nil }
        return JSONObject(parsing: opened)
    }

    private static func context(_ use: String, _ project: Project) -> SealingContext {
        SealingContext(use, of: project.id)
    }
}
