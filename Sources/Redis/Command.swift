import Encodings

/// A command as it goes over the wire, built by appending its arguments.
///
/// A value may be kept and sent many times.
public struct Command: Sendable {
    let name: StaticString
    /// The arguments so far, each as `$length\r\nbytes\r\n`; the count that precedes them is known only at the end.
    private(set) var body: [UInt8] = []
    /// How many arguments there are, the command's name among them.
    private(set) var count = 0
    /// The script that the command runs by its digest.
    private(set) var script: Script?

    /// What precedes the arguments on the wire.
    var header: [UInt8] {
        let count = Int64(count)
        return [UInt8](capacity: count.decimalByteCount + 3) { header in
            header.append(UInt8(ascii: "*"))
            header.appendDecimal(count)
            header.appendLineEnd()
        }
    }

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - name: `GET`, for example; a subcommand is the first argument.
    ///   - arguments: what follows.
    public init(_ name: StaticString, _ arguments: Argument...) {
        self.name = name
        body.reserveCapacity(128)
        append(name)
        for argument in arguments { append(argument) }
    }

    /// Starts a call of a script: its keys are to be appended next, then its arguments.
    public init(_ script: Script, keyCount: Int) {
        name = Self.scriptCall
        body.reserveCapacity(512)
        start(script, keyCount: keyCount)
    }

    /// A call of a script.
    public init(_ script: Script, keys: [String], arguments: [Argument]) {
        name = Self.scriptCall
        body.reserveCapacity(512)
        start(script, keys: keys, arguments: arguments)
    }

    private static let scriptCall: StaticString = "EVALSHA"

    /// Makes this a call of a script, in the memory it already has.
    mutating func start(_ script: Script, keys: [String], arguments: [Argument]) {
        start(script, keyCount: keys.count)
        for key in keys { append(key) }
        for argument in arguments { append(argument) }
    }

    private mutating func start(_ script: Script, keyCount: Int) {
        body.removeAll(keepingCapacity: true)
        body.append(contentsOf: script.evaluation)
        count = 2
        self.script = script
        append(Int64(keyCount))
    }

    /// Appends one argument.
    public mutating func append(_ argument: Argument) {
        switch argument {
        case .text(let value): append(value)
        case .bytes(let value): append(value)
        case .integer(let value): append(value)
        }
    }

    /// Appends text as UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a literal.
    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    /// Appends any bytes.
    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends a number in decimal digits.
    public mutating func append(_ number: Int64) {
        append(byteCount: number.decimalByteCount) { $0.appendDecimal(number) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(byteCount: bytes.count) { $0.append(copying: bytes) }
    }

    private mutating func append(byteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        count += 1
        let length = Int64(byteCount)
        body.append(addingCapacity: length.decimalByteCount + byteCount + 5) { body in
            body.append(UInt8(ascii: "$"))
            body.appendDecimal(length)
            body.appendLineEnd()
            write(&body)
            body.appendLineEnd()
        }
    }
}

extension OutputSpan<UInt8> {
    /// What stands behind each length and each argument.
    mutating func appendLineEnd() {
        append(13)
        append(10)
    }
}
