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
