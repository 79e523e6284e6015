internal import Redis

/// A call of a script.
struct ScriptCall {
    private(set) var keys: [String]
    private(set) var arguments: [Argument]

    init(keys: [String], arguments: [Argument]) {
        self.keys = keys
        self.arguments = arguments
    }

    mutating func append(_ key: String, _ argument: Argument) {
        keys.append(key)
        arguments.append(argument)
    }

    /// A call of a script that tells the audit log what it changes; nil where that is not to be told.
    init(keys: [String], arguments: [Argument], audit: AuditContext?, in shard: Shard) {
        self.init(keys: keys, arguments: arguments)
        self.keys.append(KeyNames.audit(shard))
        self.arguments.append(.bytes(audit?.argument(in: shard) ?? []))
    }
}

extension Store {
    func run(_ script: Script, isConfirmed: Bool, _ call: ScriptCall) throws(StoreUnavailable) -> ScriptReply {
        try run(script, isConfirmed: isConfirmed, keys: call.keys, call.arguments)
    }

    /// Runs a script that begins with `executed-calls.lua`: a second try of the call finds what the first one left.
    func runOnce(
        _ script: Script,
        isConfirmed: Bool = false,
        keys: [String],
        _ arguments: [Argument]
    ) throws(StoreUnavailable) -> ScriptReply {
        let own = KeyNames.executedCall(newCallID(), inSlotOf: keys[0])
        return try run(script, isConfirmed: isConfirmed, keys: keys + [own], arguments)
    }

    func runOnce(_ script: Script, isConfirmed: Bool, _ call: ScriptCall) throws(StoreUnavailable) -> ScriptReply {
        try runOnce(script, isConfirmed: isConfirmed, keys: call.keys, call.arguments)
    }
}
