internal import Encodings

extension Command {
    /// The slot of the command's first key; nil if it has no key.
    ///
    /// A command with keys in several slots is sent to the node of the first one, which refuses it (`CROSSSLOT`).
    var slot: Slot? {
        var arguments = Arguments(body: body[...])
        switch "\(name)" {
        case "EVALSHA", "EVAL":
            // EVALSHA digest count key …
            arguments.skip(2)
            guard let count = arguments.next(), !count.elementsEqual("0".utf8) else { return nil }
        case "XGROUP", "XINFO", "OBJECT":
            // XGROUP subcommand key …
            arguments.skip(2)
        case "XREADGROUP", "XREAD":
            while let argument = arguments.next(), !argument.elementsEqual("STREAMS".utf8) {}
        case let name where Self.withoutKey.contains(name):
            return nil
        default:
            arguments.skip(1)
        }
        return arguments.next().map { Slot(ofKey: $0) }
    }

    /// The commands that any node executes. Every other command has its key as its first argument, unless ``slot``
    /// handles it specially.
    private static let withoutKey: Set<String> = [
        "ACL", "ASKING", "AUTH", "CLIENT", "CLUSTER", "CONFIG", "DBSIZE", "ECHO", "HELLO", "INFO", "PING", "ROLE",
        "SCAN", "SCRIPT", "SELECT", "TIME", "WAIT",
    ]

    /// An iterator over the arguments of a command in wire format, which this module has written.
    private struct Arguments {
        var body: ArraySlice<UInt8>

        /// Returns the next argument; nil after the last one.
        mutating func next() -> ArraySlice<UInt8>? {
            guard body.popFirst() == UInt8(ascii: "$") else { return nil }
            var count = 0
            while let byte = body.popFirst(), byte != 13 { count = count * 10 + Int(byte - UInt8(ascii: "0")) }
            body = body.dropFirst()
            defer { body = body.dropFirst(count + 2) }
            return body.prefix(count)
        }

        mutating func skip(_ count: Int) {
            for _ in 0..<count { _ = next() }
        }
    }
}
