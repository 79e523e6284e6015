internal import Redis

/// Settings that many calls of a script share.
///
/// They are declared in Lua before the script's text, not passed as arguments in each call. An argument is copied four
/// times on its way into a script and usually parsed as a number: forty arguments took a tenth of a worker's
/// instructions for a send.
protocol ScriptRules: Equatable, Sendable {
    /// Lua that declares the rules.
    var constants: String { get }
}

/// The variants of one script for the rules seen so far, which are few.
struct RuleScripts<Rules: ScriptRules> {
    private var scripts: [(rules: Rules, script: Script)] = []

    /// Returns the script with these rules prepended, for calls with these names.
    mutating func script(
        _ script: LuaScript,
        _ rules: Rules,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>
    ) -> Script {
        if let known = scripts.first(where: { $0.rules == rules }) { return known.script }
        let script = script.script(keys, arguments, constants: rules.constants)
        scripts.append((rules, script))
        return script
    }
}
