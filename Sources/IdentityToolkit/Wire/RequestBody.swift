internal import Encodings
internal import FastCGI

/// Reads a request's body as its endpoint declares it.
extension IdentityToolkitHandler {
    /// A JSON body. SDKs name its type; where none is named it is taken to be JSON.
    func jsonFields(of request: borrowing Request) throws(WireError) -> Fields {
        try Fields(json: jsonBody(of: request))
    }

    /// The bytes of a JSON body, unread.
    func jsonBody(of request: borrowing Request) throws(WireError) -> [UInt8] {
        let body = try bytes(of: request)
        switch mediaType(of: request) {
        case nil, "application/json": return body
        default: throw .unsupportedContentType("application/json")
        }
    }

    /// A token endpoint takes a form, and JSON from iOS. SDKs write a form's names in snake_case, scripts for the
    /// reference emulator in camelCase, too.
    func tokenFields(of request: borrowing Request) throws(WireError) -> Fields {
        let body = try bytes(of: request)
        switch mediaType(of: request) {
        case "application/json": return try Fields(json: body)
        case nil, FormFields.mediaType:
            guard let form = FormFields(body) else { throw .badRequest("The form is malformed.") }
            return Fields(form: form, names: ["grant_type", "refresh_token", "assertion", "grantType", "refreshToken"])
        default: throw .unsupportedContentType("\(FormFields.mediaType) or application/json")
        }
    }

    /// The bytes of a body, whatever its type.
    func bytes(of request: borrowing Request) throws(WireError) -> [UInt8] {
        switch request.body {
        case .bytes(let bytes): return bytes
        case .tooLarge: throw .bodyTooLarge
        case .incomplete: throw .badRequest("The request body is incomplete.")
        }
    }

    private func mediaType(of request: borrowing Request) -> String? {
        guard let type = request.parameter("CONTENT_TYPE"), !type.isEmpty else { return nil }
        if type == "application/json" { return type }
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
        return String(decoding: essence.map(\.asciiLowercased), as: UTF8.self)
    }
}
