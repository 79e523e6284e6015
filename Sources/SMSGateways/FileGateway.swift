public import Encodings
internal import Glibc

/// Writes messages into a file instead of sending them: to try a deployment without a contract. Whoever reads the file reads codes.
public struct FileGateway: SMSGateway, Confidential {
    /// What routes and logs call it.
    public let name: GatewayName
    private let path: String

    /// Sets up a gateway. The file is made when the first message is written, for its owner alone.
    public init(name: GatewayName, path: String) {
        self.name = name
        self.path = path
    }

    /// Appends a line of JSON: `{"id", "to", "text"}`.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let line =
            JSONWriter.object { json in
                json.member("id", message.id.text)
                json.member("to", message.phoneNumber)
                json.member("text", message.text)
            } + [UInt8(ascii: "\n")]
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return .misconfigured(GatewayMisconfiguration(.addressUnknown)) }
        defer { close(file) }
        // Lines of this size are appended whole, whoever else writes.
        let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        return written == line.count ? .accepted(nil) : .uncertain(GatewayTrouble(.serverError))
    }
}
