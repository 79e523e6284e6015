import CFastCGI

/// An encoder of responses as FastCGI records in one reused buffer, so that each response is one write.
///
/// libfcgi's own output stream writes every 8 KiB, so a page of 40 KiB would wake the web server five times.
struct ResponseEncoder {
    /// The maximum content length of a record without padding.
    private static let maxContent = Int(FCGI_MAX_LENGTH) & ~7
    private static let headerLength = Int(FCGI_HEADER_LEN)
    /// The capacity up to which the buffer is kept for the next response.
    private static let keptBytes = 16_384

    /// The encoded records.
    private(set) var records: [UInt8] = []
    private var requestID: UInt16 = 0
    private var recordStart = 0

    /// Replaces the records with those of this response.
    ///
    /// FastCGI cannot announce that the server will close the connection, and a web server may send its next request
    /// before it sees the close. nginx keeps a connection only if END_REQUEST is the last record that it reads. So an
    /// empty management record follows the last response: it has no meaning, but makes nginx close the connection.
    mutating func encode(_ response: borrowing Response, requestID: UInt16, isLast: Bool) {
        if records.capacity > Self.keptBytes { records = [] }
        records.removeAll(keepingCapacity: true)
        records.reserveCapacity(response.body.count + 512)
        self.requestID = requestID
        beginRecord(FCGI_STDOUT)
        appendHead(of: response)
        response.body.withUnsafeBufferPointer { append($0) }
        endRecord()
        beginRecord(FCGI_STDOUT)  // an empty record ends the stream
        beginRecord(FCGI_END_REQUEST)
        records.append(contentsOf: repeatElement(0, count: 8))  // exit status 0, FCGI_REQUEST_COMPLETE, reserved
        endRecord()
        if isLast {
            self.requestID = UInt16(FCGI_NULL_REQUEST_ID)
            beginRecord(FCGI_GET_VALUES_RESULT)
        }
    }

    private mutating func appendHead(of response: borrowing Response) {
        append("Status: ")
        append(response.status)
        append(" ")
        append(reasonPhrase(for: response.status))
        append("\r\n")
        for (name, value) in response.headers { appendField(name, value) }
        if response.status != 204 && response.status != 304 {
            append("Content-Length: ")
            append(response.body.count)
            append("\r\n")
        }
        append("\r\n")
    }

    private mutating func appendField(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { value in
            guard value.allSatisfy(Self.isAllowedInHeader) else { return }
            append(name)
            append(": ")
            append(value)
            append("\r\n")
        }
    }

    /// Returns whether a header value may contain a byte. Line breaks would allow response splitting.
    private static func isAllowedInHeader(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "\r") && byte != UInt8(ascii: "\n") && byte != 0
    }

    private mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ number: Int) {
        append(String(number))  // strings of up to 15 bytes are stored inline: no allocation
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes
        while rest.count > roomInRecord {
            let room = roomInRecord
            records.append(contentsOf: UnsafeBufferPointer(rebasing: rest[..<room]))
            rest = UnsafeBufferPointer(rebasing: rest[room...])
            endRecord()
            beginRecord(FCGI_STDOUT)
        }
        records.append(contentsOf: rest)
    }

    private var roomInRecord: Int {
        Self.maxContent - (records.count - recordStart - Self.headerLength)
    }

    private mutating func beginRecord(_ type: Int32) {
        recordStart = records.count
        records.append(UInt8(FCGI_VERSION_1))
        records.append(UInt8(type))
        records.append(UInt8(truncatingIfNeeded: requestID >> 8))
        records.append(UInt8(truncatingIfNeeded: requestID))
        records.append(contentsOf: repeatElement(0, count: 4))  // content length, padding length, reserved
    }

    /// Fills in the record's lengths and pads the record to eight bytes, as the specification recommends.
    private mutating func endRecord() {
        let content = records.count - recordStart - Self.headerLength
        let padding = -content & 7
        records[recordStart + 4] = UInt8(truncatingIfNeeded: content >> 8)
        records[recordStart + 5] = UInt8(truncatingIfNeeded: content)
        records[recordStart + 6] = UInt8(padding)
        records.append(contentsOf: repeatElement(0, count: padding))
    }
}

/// Returns the reason phrase of a status code. nginx copies it into the HTTP status line.
func reasonPhrase(for status: Int) -> StaticString {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Unknown"
    }
}
