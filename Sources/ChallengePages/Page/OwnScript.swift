/// JavaScript of ours, as it is sent.
enum OwnScript {
    /// The script without indentation and without the lines that are comments: half of its bytes are for its readers here.
    ///
    /// It holds for scripts in which no string or template goes over several lines.
    static func compact(_ file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let code = line.drop { $0 == UInt8(ascii: " ") }
            if code.starts(with: "//".utf8) || code.starts(with: "/*".utf8) || code.first == UInt8(ascii: "*") {
                continue
            }
            bytes.append(contentsOf: code)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
