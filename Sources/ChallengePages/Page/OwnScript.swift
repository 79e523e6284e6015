/// Dialtone's own JavaScript, in the form in which it is sent.
enum OwnScript {
    /// Returns the script without indentation and comment lines, which are about a quarter of its bytes.
    ///
    /// Valid only for scripts without strings or templates that span several lines.
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
