/// A complete response: the contents of the output stream before END_REQUEST.
struct Answer {
    let requestID: UInt16
    let output: [UInt8]

    /// The lines before the empty line.
    var head: [String] {
        guard let end = headEnd else { return [] }
        return String(decoding: output[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    var body: [UInt8] { headEnd.map { Array(output[($0 + 4)...]) } ?? [] }

    var text: String { String(decoding: body, as: UTF8.self) }

    private var headEnd: Int? {
        output.indices.dropLast(3).first { output[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) }
    }
}
