import Encodings

/// A command in wire format, built by appending its arguments.
///
/// A value may be kept and sent many times.
public struct Command: Sendable {
    let name: StaticString
    /// The arguments so far, each as `$length\r\nbytes\r\n`. The count that precedes them is known only at the end.
    private(set) var body: [UInt8] = []
    /// The number of arguments, including the command's name.
    private(set) var count = 0
    /// The script that the command calls by its digest.
    private(set) var script: Script?

    /// Appends the command to `output` in wire format.
    func write(to output: inout [UInt8]) {
        let count = Int64(count)
        output.append(addingCapacity: count.decimalByteCount + 3 + body.count) { output in
            output.append(UInt8(ascii: "*"))
            output.appendDecimal(count)
            output.appendLineEnd()
            body.withUnsafeBufferPointer { output.append(copying: $0) }
        }
    }

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - name: the command, such as `GET`; a subcommand is the first argument.
    ///   - arguments: its arguments.
    public init(_ name: StaticString, _ arguments: Argument...) {
        self.name = name
        body.reserveCapacity(128)
        append(.text(name.description))
        for argument in arguments { append(argument) }
    }

    /// Creates a script call.
    public init(_ script: Script, keys: NamedValues<String>, arguments: NamedValues<Argument>) {
        name = Self.scriptCall
        body.reserveCapacity(512)
        start(script, keys: keys, arguments: arguments)
    }

    private static let scriptCall: StaticString = "EVALSHA"

    /// Turns this command into a script call, and reuses its memory.
    mutating func start(_ script: Script, keys: NamedValues<String>, arguments: NamedValues<Argument>) {
        body.removeAll(keepingCapacity: true)
        body.append(contentsOf: script.evaluation)
        count = 2
        self.script = script
        append(Int64(keys.count))
        var byteCount = 0
        for (_, key) in keys.elements { byteCount += Self.wireByteCount(key.utf8.count) }
        for key in keys.list { byteCount += Self.wireByteCount(key.utf8.count) }
        let packedByteCount = script.packsArguments ? arguments.packedByteCount : 0
        if script.packsArguments {
            byteCount += Self.wireByteCount(packedByteCount)
        } else {
            for (_, argument) in arguments.elements { byteCount += Self.wireByteCount(argument.byteCount) }
            for argument in arguments.list { byteCount += Self.wireByteCount(argument.byteCount) }
        }
        body.append(addingCapacity: byteCount) { body in
            for (_, key) in keys.elements { body.appendArgument(.text(key)) }
            for key in keys.list { body.appendArgument(.text(key)) }
            if script.packsArguments {
                body.appendArgument(byteCount: packedByteCount) { $0.appendPacked(arguments) }
            } else {
                for (_, argument) in arguments.elements { body.appendArgument(argument) }
                for argument in arguments.list { body.appendArgument(argument) }
            }
        }
        count += keys.count + (script.packsArguments ? 1 : arguments.count)
    }

    /// Appends one argument.
    public mutating func append(_ argument: Argument) {
        body.append(addingCapacity: Self.wireByteCount(argument.byteCount)) { $0.appendArgument(argument) }
        count += 1
    }

    /// Appends text as UTF-8.
    public mutating func append(_ text: String) { append(.text(text)) }

    /// Appends any bytes.
    public mutating func append(_ bytes: [UInt8]) { append(.bytes(bytes)) }

    /// Appends a number in decimal digits.
    public mutating func append(_ number: Int64) { append(.integer(number)) }

    /// Returns the number of bytes that an argument takes on the wire: `$length\r\nbytes\r\n`.
    private static func wireByteCount(_ byteCount: Int) -> Int { Int64(byteCount).decimalByteCount + byteCount + 5 }
}

extension OutputSpan<UInt8> {
    /// Appends one argument in wire format.
    fileprivate mutating func appendArgument(_ argument: Argument) {
        appendArgument(byteCount: argument.byteCount) { $0.appendValue(argument) }
    }

    /// Appends one argument of this length in wire format.
    fileprivate mutating func appendArgument(byteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        append(UInt8(ascii: "$"))
        appendDecimal(Int64(byteCount))
        appendLineEnd()
        write(&self)
        appendLineEnd()
    }

    /// Appends the bytes of a value.
    mutating func appendValue(_ argument: Argument) {
        switch argument {
        case .text(var text): text.withUTF8 { append(copying: $0) }
        case .bytes(let bytes): bytes.withUnsafeBufferPointer { append(copying: $0) }
        case .integer(let number): appendDecimal(number)
        }
    }

    /// Appends the CRLF that ends each length and each argument.
    fileprivate mutating func appendLineEnd() {
        append(13)
        append(10)
    }
}

extension Command {
    /// Whether the command may be resent if its reply was lost: it only reads, or calls a script that is
    /// ``Script/isRepeatable``.
    ///
    /// `PING` is excluded on purpose: its sender asks whether the server replies in time. Reads that advance a consumer
    /// group are excluded, and so are all plain writes: some writes, such as `INCR`, would count twice, and the reply
    /// of others depends on what the first execution found.
    var isRepeatable: Bool { script?.isRepeatable ?? Self.reads.contains("\(name)") }

    private static let reads: Set<String> = [
        "EXISTS", "GET", "HEXISTS", "HGET", "HGETALL", "HMGET", "INFO", "MGET", "PTTL", "SCAN", "TIME",
        "XINFO", "XLEN", "XRANGE", "XREVRANGE", "ZCARD", "ZRANGE", "ZRANGEBYSCORE",
    ]
}
