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
        var text = Self.innerError(line[...])
        while text.last == " " { text.removeLast() }
        let parts = text.split(separator: " ", maxSplits: 1)
        code = parts.first.map(String.init) ?? "ERR"
        message = parts.count > 1 ? Self.withoutQuotations(parts[1]) : ""
    }

    /// Whether the server did not execute the command because it is a replica or has not loaded its data.
    var meansOtherServer: Bool { ["READONLY", "MASTERDOWN", "LOADING"].contains(code) }

    /// Returns the error of the command in a script that Redis 6.2 wraps, and any other error unchanged.
    ///
    /// Redis 6.2 wraps `-OOM …`, for example, as `ERR Error running script (call to f_…): @user_script:1: @user_script:
    /// 1: -OOM …`. Only errors that it finds before it executes the command keep their hyphen: `READONLY`, `MISCONF`,
    /// `NOREPLICAS` and `OOM`. They concern the script's first write, so the script has written nothing.
    private static func innerError(_ line: Substring) -> Substring {
        guard line.hasPrefix("ERR Error running script"), let start = line.firstRange(of: ": -")?.upperBound else {
            return line
        }
        let error = line[start...]
        let code = String(error.prefix { $0 != " " })
        return ["READONLY", "MISCONF", "NOREPLICAS", "OOM"].contains(code) ? error : line
    }

    private static func withoutQuotations(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: quotationMarks.contains),
            let last = text.lastIndex(where: quotationMarks.contains), first < last
        else { return String(text.prefix(maxMessageLength)) }
        return String((text[...first] + "…" + text[last...]).prefix(maxMessageLength))
    }
}
