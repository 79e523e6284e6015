/// A command as it goes over the wire, built by appending its arguments.
///
/// A value may be kept and sent many times.
public struct Command: Sendable {
    /// The arguments so far, each as `$length\r\nbytes\r\n`; the count that precedes them is known only at the end.
    private(set) var body: [UInt8] = []
    /// How many arguments there are, the command's name among them.
    private(set) var count = 0
    /// The script that the command runs by its digest.
    private(set) var script: Script?

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - name: `GET`, for example; a subcommand is the first argument.
    ///   - arguments: what follows.
    public init(_ name: StaticString, _ arguments: Argument...) {
        body.reserveCapacity(128)
        append(name)
        for argument in arguments { append(argument) }
    }

    /// Starts a call of a script: its keys are to be appended next, then its arguments.
    public init(_ script: Script, keyCount: Int) {
        body.reserveCapacity(512)
        start(script, keyCount: keyCount)
    }

    /// A call of a script.
    public init(_ script: Script, keys: [Argument], arguments: [Argument]) {
        body.reserveCapacity(512)
        start(script, keys: keys, arguments: arguments)
    }

    /// Makes this a call of a script, in the memory it already has.
    mutating func start(_ script: Script, keys: [Argument], arguments: [Argument]) {
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
        text.withUTF8 { bytes in
            startArgument(byteCount: bytes.count)
            body.append(contentsOf: bytes)
            endArgument()
        }
    }

    /// Appends a literal.
    public mutating func append(_ text: StaticString) {
        startArgument(byteCount: text.utf8CodeUnitCount)
        text.withUTF8Buffer { body.append(contentsOf: $0) }
        endArgument()
    }

    /// Appends any bytes.
    public mutating func append(_ bytes: [UInt8]) {
        startArgument(byteCount: bytes.count)
        body.append(contentsOf: bytes)
        endArgument()
    }

    /// Appends a number in decimal digits.
    public mutating func append(_ number: Int64) {
        startArgument(byteCount: decimalLength(number))
        body.appendDecimal(number)
        endArgument()
    }

    private mutating func startArgument(byteCount: Int) {
        count += 1
        body.append(UInt8(ascii: "$"))
        body.appendDecimal(Int64(byteCount))
        endArgument()
    }

    private mutating func endArgument() {
        body.append(13)
        body.append(10)
    }
}
