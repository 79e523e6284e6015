internal import Encodings
internal import FastCGI

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

    /// The address of the client.
    var clientAddress: String { parameter("REMOTE_ADDR") ?? "" }

    /// nginx's `$request_id`, or a random id if the front end sends none.
    var requestID: String {
        if let id = parameter("REQUEST_ID"), (1...64).contains(id.utf8.count) { return id }
        return String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
