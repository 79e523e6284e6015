/// The records of one request, as a web server sends them.
struct RequestRecords {
    var parameters: [(name: String, value: [UInt8])] = []
    var body: [UInt8] = []
    /// The CONTENT_LENGTH; by default the length of the body. An empty text means an unknown length.
    var announced: String?
    var keepsConnection = true
    var requestID: UInt16 = 1

    init(
        _ parameters: [(String, String)] = [],
        body: [UInt8] = [],
        announced: String? = nil,
        keepsConnection: Bool = true
    ) {
        self.parameters = parameters.map { ($0.0, Array($0.1.utf8)) }
        self.body = body
        self.announced = announced
        self.keepsConnection = keepsConnection
    }

    var bytes: [UInt8] { head + stdin }

    /// The records before the body: BEGIN_REQUEST and PARAMS.
    var head: [UInt8] {
        let length: (name: String, value: [UInt8]) = ("CONTENT_LENGTH", Array((announced ?? "\(body.count)").utf8))
        var pairs: [UInt8] = []
        for (name, value) in parameters + [length] {
            pairs += Self.length(name.utf8.count) + Self.length(value.count) + Array(name.utf8) + value
        }
        return begin(role: 1) + stream(4, pairs)
    }

    /// The body's records.
    var stdin: [UInt8] { stream(5, body) }

    func begin(role: UInt8) -> [UInt8] {
        Self.record(1, requestID, [0, role, keepsConnection ? 1 : 0, 0, 0, 0, 0, 0])
    }

    /// Returns a stream's content in records, with the empty record that ends the stream.
    private func stream(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        var records: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: 65_535) {
            records += Self.record(type, requestID, Array(content[start..<min(start + 65_535, content.count)]))
        }
        return records + Self.record(type, requestID, [])
    }

    static func record(_ type: UInt8, _ requestID: UInt16, _ content: [UInt8]) -> [UInt8] {
        [
            1, type, UInt8(requestID >> 8), UInt8(requestID & 255),
            UInt8(content.count >> 8), UInt8(content.count & 255), 0, 0,
        ] + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 128 { return [UInt8(count)] }
        return [UInt8(count >> 24) | 0x80, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    }
}
