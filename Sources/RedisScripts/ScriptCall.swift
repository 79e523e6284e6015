public import Redis

/// A script with the keys and arguments of one call, by name. Several calls can be sent in one pipeline.
public struct ScriptCall: Sendable {
    let script: LuaScript
    let rules: (any ScriptRules)?
    private(set) var keys: NamedValues<String>
    private(set) var arguments: NamedValues<Argument>
    /// Whether the call has an id: see `executed-calls.lua`.
    private(set) var isIdentified = false

    /// Names the script, its rules, its keys and its arguments.
    public init(
        _ script: LuaScript,
        with rules: (any ScriptRules)? = nil,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>
    ) {
        self.script = script
        self.rules = rules
        self.keys = keys
        self.arguments = arguments
    }

    /// Adds a key.
    public mutating func append(key: StaticString, _ value: String) { keys.append(key, value) }

    /// Adds an argument.
    public mutating func append(_ name: StaticString, _ value: Argument) { arguments.append(name, value) }

    /// Adds the key under which the script remembers this call.
    mutating func append(callID: String) {
        isIdentified = true
        keys.append("executedKey", KeyNames.executedCall(callID, inSlotOf: keys.first ?? ""))
    }
}
