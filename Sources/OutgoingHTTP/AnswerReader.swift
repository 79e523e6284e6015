public import Encodings

/// A reader that assembles a response from libcurl's callbacks for header lines and parts of the body.
struct AnswerReader {
    /// Responses of the servers in use have a few hundred bytes. Anything beyond this limit is not read.
    static let maximumBodyBytes = 16 * 1024
    /// The maximum size of all headers, including those of interim responses, and trailers.
    static let maximumHeaderBytes = 32 * 1024

    private var status = 0
    private var headers = HTTPHeaderFields()
    private var headerBytes = 0
    private var body: [UInt8] = []
    /// Whether the final response's header section is complete. Later fields are trailers, which are ignored.
    private var isHeadComplete = false
    private var isBodyTooLong = false

    /// Reads one header line with its line break: a status line, a field or the empty line at the end.
    ///
    /// - Returns: whether to continue reading.
    mutating func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else { return false }
        guard !isHeadComplete else { return true }
        let text = String(decoding: line, as: UTF8.self)[...].trimmed
        if text.isEmpty {
            // An interim (1xx) response is followed by another response (RFC 9110 § 15.2).
            isHeadComplete = status >= 200
        } else if text.hasPrefix("HTTP/") {
            headers = HTTPHeaderFields()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            headers.add(name: String(text[..<colon]), value: String(text[text.index(after: colon)...].trimmed))
        }
        return true
    }

    /// Reads a part of the body.
    ///
    /// - Returns: whether to continue reading.
    mutating func readBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard body.count + part.count <= Self.maximumBodyBytes else {
            isBodyTooLong = true
            return false
        }
        body += part
        return true
    }

    /// Returns the response; nil if there is none. If the body is too long, the response has an empty body and keeps
    /// its status.
    func finished(isComplete: Bool) -> HTTPAnswer? {
        guard isComplete || isBodyTooLong, isHeadComplete else { return nil }
        return HTTPAnswer(status: status, headers: headers, body: isBodyTooLong ? [] : body)
    }
}

/// An HTTP response.
public struct HTTPAnswer: Sendable, Confidential {
    /// The HTTP status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaderFields
    /// The body; empty if the body was longer than 16 KiB.
    public let body: [UInt8]
}
