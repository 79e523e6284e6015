/// The reply of Redis to one command.
public enum Reply: Sendable, Equatable {
    /// No value: the key or the field does not exist.
    case null
    /// A number.
    case integer(Int64)
    /// A value of arbitrary bytes.
    case bytes([UInt8])
    /// A status of the server, such as `OK`.
    case status(String)
    /// A list of replies, in order.
    case array([Reply])
    /// The command failed. The other commands of the pipeline or transaction were executed.
    case error(ServerError)
}

extension Reply {
    /// The number; nil if the reply is not a number.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The value's bytes; nil if the reply is not a value.
    public var bytes: [UInt8]? {
        guard case .bytes(let value) = self else { return nil }
        return value
    }

    /// The value or status as text, with invalid UTF-8 repaired; nil if the reply is neither.
    public var text: String? {
        switch self {
        case .bytes(let value): String(decoding: value, as: UTF8.self)
        case .status(let value): value
        default: nil
        }
    }

    /// The list; nil if the reply is not a list.
    public var array: [Reply]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The values by name in a reply to `INFO` or `CLUSTER INFO`, whose lines are `name:value`; nil if the reply has no
    /// text.
    public var information: [String: String]? {
        guard let text else { return nil }
        var values: [String: String] = [:]
        // By bytes, because a reply has hundreds of lines, and workers read one every second.
        for line in text.utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            values[String(Substring(line[..<colon]))] = String(Substring(line[colon...].dropFirst()))
        }
        return values
    }

    /// Returns the text of a field in a list of names and values.
    func value(of name: String) -> String? {
        guard let list = array,
            let index = stride(from: 0, to: list.count - 1, by: 2).first(where: { list[$0].text == name })
        else { return nil }
        return list[index + 1].text
    }

    /// Returns the reply itself, if it is not an error.
    ///
    /// - Throws: the error as a ``RedisError``, which tells the caller what to do.
    public func get() throws(RedisError) -> Reply {
        if case .error(let error) = self { throw RedisError(error) }
        return self
    }
}

extension ServerError {
    /// Whether the server does not have the script's source.
    var isUnknownScript: Bool { code == "NOSCRIPT" }
}

extension Reply {
    /// Whether the server did not execute the command because it is a replica or has not loaded its data.
    var meansOtherServer: Bool {
        guard case .error(let error) = self else { return false }
        return error.meansOtherServer
    }

    /// Whether the server does not have the script's source.
    var isUnknownScript: Bool {
        guard case .error(let error) = self else { return false }
        return error.isUnknownScript
    }
}
