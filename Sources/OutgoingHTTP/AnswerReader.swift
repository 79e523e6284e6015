internal import Encodings

/// Puts an answer together from what libcurl hands over: header lines, and pieces of the body.
struct AnswerReader {
    /// The answers of all that we ask have some hundreds of bytes. What comes after so many is not read.
    static let maximumBodyBytes = 16 * 1024
    /// With those of interim answers and of trailers.
    static let maximumHeaderBytes = 32 * 1024

    private var status = 0
    private var headers = HTTPHeaderFields()
    private var headerBytes = 0
    private var body: [UInt8] = []
    /// Whether the header section of the answer proper is over. What follows are trailers, which nobody asked for.
    private var isHeadComplete = false
    private var isBodyTooLong = false

    /// Takes one header line with its line break, a status line or the empty line at the end.
    /// - Returns: whether to read on.
    mutating func readHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else { return false }
        guard !isHeadComplete else { return true }
        let text = String(decoding: line, as: UTF8.self).trimmingWhitespace()
        if text.isEmpty {
            // An interim answer is followed by another one (RFC 9110 § 15.2).
            isHeadComplete = status >= 200
        } else if text.hasPrefix("HTTP/") {
            headers = HTTPHeaderFields()
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            headers.add(name: String(text[..<colon]), value: text[text.index(after: colon)...].trimmingWhitespace())
        }
        return true
    }

    /// Takes a piece of the body.
    /// - Returns: whether to read on.
    mutating func readBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard body.count + part.count <= Self.maximumBodyBytes else {
            isBodyTooLong = true
            return false
        }
        body += part
        return true
    }

    /// Returns the answer; nil if there is none. A longer body is no explanation: the answer then counts by its status.
    func finished(isComplete: Bool) -> HTTPAnswer? {
        guard isComplete || isBodyTooLong, isHeadComplete else { return nil }
        return HTTPAnswer(status: status, headers: headers, body: isBodyTooLong ? [] : body)
    }
}

extension StringProtocol {
    /// The text without white space at its ends (RFC 9110 § 5.6.3).
    fileprivate func trimmingWhitespace() -> String {
        let isWhitespace = { (character: Character) in character.isWhitespace }
        let start = drop(while: isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
