internal import Encodings
internal import FastCGI
internal import PhoneAuth

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

extension Request {
    /// The URL's query string; empty if there is none.
    var query: String { parameter("QUERY_STRING") ?? "" }

    /// Returns the parameters of the query string.
    func queryFields() throws(WireError) -> FormFields {
        guard let fields = FormFields(query.utf8) else { throw .queryMalformed }
        return fields
    }

    /// Returns the API key; the query's takes precedence over the header's.
    func apiKey() throws(WireError) -> String? {
        if let key = try queryFields()["key"], !key.isEmpty { return key }
        return apiKeyOfHeader
    }

    /// Whether only the URL contains the API key, if the request has one.
    var isAPIKeyInURL: Bool { apiKeyOfHeader == nil }

    private var apiKeyOfHeader: String? { parameter("HTTP_X_GOOG_API_KEY") }

    /// The credential of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110 § 11.1).
    var bearerToken: String? {
        guard let header = parameter("HTTP_AUTHORIZATION") else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// Returns the client's key for this request; nil if it sent none.
    func idempotencyKey(of route: Route) throws(WireError) -> IdempotencyKey? {
        guard let text = parameter("HTTP_IDEMPOTENCY_KEY") else { return nil }
        guard let key = IdempotencyKey(text, route: route.name, body: try bodyBytes()) else {
            throw .badRequest("Idempotency-Key must have \(IdempotencyKey.rule).")
        }
        return key
    }

    /// The address of the client.
    var clientAddress: String { parameter("REMOTE_ADDR") ?? "" }

    /// nginx's `$request_id`, or a random id if the front end sends none.
    var requestID: String {
        if let id = parameter("REQUEST_ID"), (1...64).contains(id.utf8.count) { return id }
        return String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
