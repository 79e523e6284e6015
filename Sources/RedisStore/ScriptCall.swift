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

    /// Creates a call of a script that writes audit events; `audit` is nil if events are not kept.
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

    /// Runs a script that remembers its calls.
    func run(
        _ script: OnceScript,
        isConfirmed: Bool = false,
        keys: [String],
        _ arguments: [Argument]
    ) throws(StoreUnavailable) -> ScriptReply {
        try run(script, isConfirmed: isConfirmed, ScriptCall(keys: keys, arguments: arguments))
    }

    func run(_ script: OnceScript, isConfirmed: Bool, _ call: ScriptCall) throws(StoreUnavailable) -> ScriptReply {
        try run(script.script, isConfirmed: isConfirmed, remembered(call))
    }

    /// Runs a script that remembers its calls, once per call, in one round trip.
    func run(_ script: OnceScript, _ calls: [ScriptCall]) throws(StoreUnavailable) -> [ScriptReply] {
        try run(script.script, calls.map(remembered))
    }

    private func remembered(_ call: ScriptCall) -> ScriptCall {
        let own = KeyNames.executedCall(newCallID(), inSlotOf: call.keys[0])
        return ScriptCall(keys: call.keys + [own], arguments: call.arguments)
    }
}

/// A script that begins with `executed-calls.lua`: a second try of a call finds what the first one stored under the
/// call's key.
struct OnceScript: Sendable {
    let script: Script

    init(name: String, source: [UInt8]) {
        script = Script(name: name, source: PackageResources.executed_calls_lua + source, isRepeatable: true)
    }
}
