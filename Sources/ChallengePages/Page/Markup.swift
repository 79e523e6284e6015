/// Bytes that are safe in an HTML document: escaped text, or markup of Dialtone's own.
struct Markup {
    let bytes: [UInt8]

    /// Escapes text for use between tags and in quoted attributes.
    init(text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// Escapes a JSON document for a `script` element, so that nothing in it can end the element (HTML § 4.12.1.3).
    init(json: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") {
                bytes.append(contentsOf: "\\u003c".utf8)
            } else {
                bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// Wraps markup, style or script that contains no external input.
    init(own bytes: [UInt8]) {
        self.bytes = bytes
    }
}
