import Cryptography
import Encodings

/// A Lua script that Redis runs as one atomic step. Calls use its digest (`EVALSHA`); the source is sent only if the
/// server does not know the script.
public final class Script: Sendable {
    /// A name for logs.
    public let name: String
    /// The Lua source.
    public let source: [UInt8]
    /// Whether the script is idempotent, so that a call may be resent if its reply was lost: a second execution with
    /// the same arguments changes nothing and has the same outcome. Scripts that recognize their caller by a request
    /// id, or by something that the call created, are idempotent. If other calls have changed data in between, a second
    /// execution neither undoes their changes nor reports what they ended.
    public let isRepeatable: Bool
    /// Whether the arguments of calls are packed into one: see ``NamedValues/packedDeclarations``.
    let packsArguments: Bool
    /// The SHA-1 of the source in hexadecimal, by which Redis identifies the script.
    public let digest: String
    /// The first two arguments of every call, in wire format.
    let evaluation: [UInt8]

    /// Creates a script. Create it once and keep the value.
    public init(name: String, source: [UInt8], isRepeatable: Bool = false, packsArguments: Bool = false) {
        self.name = name
        self.source = source
        self.isRepeatable = isRepeatable
        self.packsArguments = packsArguments
        digest = Hexadecimal.encode(SHA1.hash(source))
        evaluation = Array("$7\r\nEVALSHA\r\n$40\r\n\(digest)\r\n".utf8)
    }

    /// The command that loads the script into the server.
    var loading: Command {
        var command = Command("SCRIPT", "LOAD")
        command.append(source)
        return command
    }
}
