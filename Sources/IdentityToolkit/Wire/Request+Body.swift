internal import Encodings
internal import FastCGI

extension Request {
    /// Reads a JSON body. SDKs send a content type; a body without one is read as JSON.
    func jsonFields() throws(WireError) -> Fields {
        try Fields(json: jsonBody())
    }

    /// Returns the bytes of a JSON body, unparsed.
    func jsonBody() throws(WireError) -> [UInt8] {
        let body = try bodyBytes()
        switch mediaType {
        case nil, "application/json": return body
        default: throw .unsupportedContentType("application/json")
        }
    }

    /// Reads the body of a token request: a form, or JSON from iOS. SDKs write form names in snake_case; scripts for
    /// the reference emulator also use camelCase. No field may be repeated (RFC 6749 § 3.2).
    func tokenFields() throws(WireError) -> Fields {
        let body = try bodyBytes()
        switch mediaType {
        case "application/json": return try Fields(json: body)
        case nil, FormFields.mediaType:
            guard let form = FormFields(body) else { throw .badRequest("The form is malformed.") }
            let names = [
                "grant_type", "refresh_token", "assertion", "grantType", "refreshToken", "code", "code_verifier",
                "redirect_uri", "client_id",
            ]
            for name in names where form.fields.count(where: { $0.name == name }) > 1 {
                let explanation = "The form has \(name) twice."
                let isOAuth = form.fields.contains { $0 == ("grant_type", "authorization_code") }
                throw isOAuth ? .oauth(.invalidRequest, explanation) : .badRequest(explanation)
            }
            return Fields(form: form, names: names)
        default: throw .unsupportedContentType("\(FormFields.mediaType) or application/json")
        }
    }

    /// Returns the bytes of a body, whatever its type.
    func bodyBytes() throws(WireError) -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .tooLarge: throw .bodyTooLarge
        case .incomplete: throw .badRequest("The request body is incomplete.")
        }
    }

    private var mediaType: String? {
        guard let type = parameter("CONTENT_TYPE"), !type.isEmpty else { return nil }
        if type == "application/json" { return type }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
        return String(decoding: essence.map(\.asciiLowercased), as: UTF8.self)
    }
}
