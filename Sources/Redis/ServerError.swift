/// An error reply of the server.
///
/// Redis often quotes its input. So text between quotation marks is removed, and no key, argument or password reaches
/// logs this way.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first word, such as `ERR`, `WRONGTYPE` or a word from a script.
    public let code: String
    /// The rest, as one line of limited length.
    public let message: String

    /// The code and the message.
    public var description: String { message.isEmpty ? code : "\(code) \(message)" }

    private static let maxMessageLength = 200
    private static let quotationMarks: Set<Character> = ["'", "`", "\"", "‘", "’"]

    /// Parses an error as a server sends it.
    ///
    /// - Parameter line: the reply without its leading `-`.
    public init(line: String) {
        var text = line[...]
        while text.last == " " { text.removeLast() }
        let parts = text.split(separator: " ", maxSplits: 1)
        code = parts.first.map(String.init) ?? "ERR"
        message = parts.count > 1 ? Self.withoutQuotations(parts[1]) : ""
    }

    /// Whether the server did not execute the command because it is a replica or has not loaded its data.
    ///
    /// Redis 6.2 reports the error of a command in a script under the code `ERR`. The first write of a script fails, so
    /// the script has written nothing.
    var meansOtherServer: Bool {
        switch code {
        case "READONLY", "MASTERDOWN", "LOADING": true
        case "ERR": message.hasPrefix("Error running script") && message.contains("-READONLY ")
        default: false
        }
    }

    private static func withoutQuotations(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: quotationMarks.contains),
            let last = text.lastIndex(where: quotationMarks.contains), first < last
        else { return String(text.prefix(maxMessageLength)) }
        return String((text[...first] + "…" + text[last...]).prefix(maxMessageLength))
    }
}
