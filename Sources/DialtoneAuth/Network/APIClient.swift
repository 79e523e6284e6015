internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A client that calls the operations of a server for an app.
struct APIClient: Sendable {
    /// The client version in requests.
    static let version = "Dialtone/Swift/0.1.0"
    /// The deadline of a request, in seconds.
    static let deadline: TimeInterval = 30

    let server: ServerURL
    let apiKey: String
    /// The bundle ID of a registered app; nil for apps that are verified as web apps.
    let bundleID: String?
    let transport: HTTPTransport
    let clock: ServerClock

    /// Posts a JSON object, and decodes the response. If the answer to a request with a key is lost, sends the request
    /// once more: under the key, the server returns the answer again.
    ///
    /// - Throws: an error of the domain ``AuthErrors/domain``, or `CancellationError`.
    func post<Response: Decodable>(
        _ path: String,
        _ fields: JSONFields,
        language: String? = nil,
        query: [(name: String, value: String)] = [],
        key: String? = nil,
        as _: Response.Type
    ) async throws -> Response {
        var request = try request("POST", path, query)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let language, Self.isTag(language) { request.setValue(language, forHTTPHeaderField: "X-Firebase-Locale") }
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        request.httpBody = try fields.data
        return try await response(to: request)
    }

    /// Gets and decodes a JSON object.
    func get<Response: Decodable>(_ path: String, as _: Response.Type) async throws -> Response {
        try await response(to: request("GET", path, []))
    }

    private func response<Response: Decodable>(to request: URLRequest) async throws -> Response {
        let sentAt = clock.deviceTime()
        let response = try await send(request)
        if let date = response.headers["date"].flatMap(ServerClock.date), response.headers["age"] == nil {
            clock.learn(date, sentAt: sentAt)
        }
        let details = Self.details(of: response)
        guard (200..<300).contains(response.status) else {
            throw WireErrors.error(status: response.status, body: response.body, details)
        }
        do {
            return try JSONDecoder().decode(Response.self, from: response.body)
        } catch {
            // The decoder's error may quote the response, which may contain tokens.
            throw AuthErrorCode.internalError.error("The server's response cannot be read. Check the URL.", details)
        }
    }

    private func send(_ request: URLRequest) async throws -> HTTPResponse {
        let isKeyed = request.value(forHTTPHeaderField: "Idempotency-Key") != nil
        do {
            let response = try await transport.send(request, within: Self.deadline)
            guard isKeyed, [502, 503, 504].contains(response.status) else { return response }
        } catch let error where isKeyed && AuthErrorCode(error) == .networkError {}
        try await sleep(seconds: 1)
        return try await transport.send(request, within: Self.deadline)
    }

    private func request(
        _ method: String,
        _ path: String,
        _ query: [(name: String, value: String)]
    ) throws -> URLRequest {
        guard let url = server.url(path: path, query: query) else {
            throw AuthErrorCode.internalError.error("No path can be appended to the server's URL.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(apiKey, forHTTPHeaderField: "X-Goog-Api-Key")
        request.setValue(Self.version, forHTTPHeaderField: "X-Client-Version")
        if let bundleID { request.setValue(bundleID, forHTTPHeaderField: "X-Ios-Bundle-Identifier") }
        return request
    }

    /// Returns whether a text has only characters of a language tag (RFC 5646) or of a locale identifier. Other
    /// characters could break the header field.
    private static func isTag(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }

    /// Returns a new key for a request that uses something up.
    static func newKey() -> String {
        String(format: "%016llx%016llx", UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    }

    private static func details(of response: HTTPResponse) -> ResponseDetails {
        let reference = response.headers["dialtone-reference"].flatMap { text in
            text.count <= 64 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } ? text : nil
        }
        // A server that asks for more than a week is mistaken.
        let seconds = response.headers["retry-after"].flatMap(Int.init).map { min(max($0, 0), 604_800) }
        return ResponseDetails(reference: reference, retryAfter: seconds.map(TimeInterval.init))
    }
}

/// The fields of a request. Fields whose value is nil are absent.
struct JSONFields: Sendable {
    enum Value: Sendable, Encodable {
        case text(String)
        case flag(Bool)
        case texts([String])
        case fields(JSONFields)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .flag(let flag): try flag.encode(to: encoder)
            case .texts(let texts): try texts.encode(to: encoder)
            case .fields(let fields): try fields.members.encode(to: encoder)
            }
        }
    }

    private(set) var members: [String: Value] = [:]

    init(_ texts: [String: String?] = [:]) {
        members = texts.compactMapValues { $0.map(Value.text) }
    }

    subscript(name: String) -> Value? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// Returns these fields and others.
    func merging(_ others: JSONFields) -> JSONFields {
        var merged = self
        merged.members.merge(others.members) { _, other in other }
        return merged
    }

    /// The fields as JSON; equal fields have equal bytes, by which the server recognizes a repeated request.
    var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(members)
        }
    }
}
