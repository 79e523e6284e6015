public import Encodings
internal import Glibc

/// A gateway that writes messages to a file instead of sending them, to try a deployment without a gateway account.
///
/// Anyone who can read the file can read verification codes and links.
public struct FileGateway<Message: GatewayMessage>: Gateway, Confidential {
    /// The gateway's name in routes and logs.
    public let name: GatewayName
    private let path: String

    /// Creates a gateway. The file is created with the first message, with mode 0600.
    public init(name: GatewayName, path: String) {
        self.name = name
        self.path = path
    }

    /// Appends a line of JSON: the object that a webhook receives, without the sender and the URL for receipts.
    public func send(_ message: Message) async -> GatewayOutcome {
        let line =
            JSONWriter.object { json in
                json.member("id", message.id.text)
                message.write(to: &json)
            } + [UInt8(ascii: "\n")]
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return .misconfigured(GatewayMisconfiguration(.addressUnknown)) }
        defer { close(file) }
        // One `write` with `O_APPEND`: lines of concurrent writers do not mix.
        let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        return written == line.count ? .accepted(nil) : .uncertain(GatewayTrouble(.serverError))
    }
    /// Checks that messages can be written beside the file.
    public func check() async -> GatewayOutcome? {
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        guard access(folder.isEmpty ? "/" : String(folder), W_OK) != 0 else { return nil }
        return .misconfigured(GatewayMisconfiguration(.addressUnknown))
    }
}
