import Cryptography
import Encodings

/// A Lua script that Redis runs as one atomic step. Calls name it by its digest; its source travels only when the server does not know it.
public struct Script: Sendable {
    /// A name for people, as in logs.
    public let name: String
    /// The Lua source.
    public let source: [UInt8]
    /// Whether a call may be sent again if its reply was lost: with the same arguments, a second execution changes
    /// nothing and has the same outcome. A script that knows its caller by a request id, or by something that the call
    /// made, is. If something else changed in between, a second execution neither undoes it nor reports what it ended.
    public let isRepeatable: Bool
    /// The SHA-1 of the source in hexadecimal, by which Redis knows it.
    public let digest: String
    /// The first two arguments of every call, ready for the wire.
    let evaluation: [UInt8]

    /// Makes a script; do it once and keep the value.
    public init(name: String, source: [UInt8], isRepeatable: Bool = false) {
        self.name = name
        self.source = source
        self.isRepeatable = isRepeatable
        digest = Hexadecimal.encode(SHA1.hash(source))
        evaluation = Array("$7\r\nEVALSHA\r\n$40\r\n\(digest)\r\n".utf8)
    }

    /// The command that makes the script known to the server.
    var loading: Command {
        var command = Command("SCRIPT", "LOAD")
        command.append(source)
        return command
    }
}
