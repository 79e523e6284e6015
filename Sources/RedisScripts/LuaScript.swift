internal import Redis
internal import Synchronization

/// A script, with the name of its file, which is beside the operation that runs it. Calls name its keys and arguments,
/// and its text uses these names: they are declared as local variables before the text when the script is first called.
public final class LuaScript: Sendable {
    private let file: LuaFile
    private let packsArguments: Bool
    private let completed = AtomicLazyReference<Script>()
    /// Whether the script stores under `executedKey` what its reply needs, as `executed-calls.lua` describes.
    let remembersCalls: Bool

    /// Names a script and its text. `functions` returns the text of a file of functions that it uses, by its name; nil
    /// if there is none.
    public init(_ name: String, _ text: [UInt8], functions: @escaping @Sendable (String) -> [UInt8]?) {
        file = LuaFile(name: name, text: text, functions: functions)
        packsArguments = file.packsArguments
        remembersCalls = file.usedNames.contains("executed-calls")
    }

    /// Returns the script for calls with these names. All calls of a script have the same names.
    func script(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>) -> Script {
        if let script = completed.load() {
            assert(script.source.starts(with: declarations(keys, arguments).utf8), "two calls of \(file.name) differ")
            return script
        }
        return completed.storeIfNil(script(keys, arguments, constants: ""))
    }

    /// Returns the script with `constants`, Lua that declares values shared by many calls.
    func script(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>, constants: String) -> Script {
        assert(
            file.withUsedFiles.reduce(into: []) { $0.formUnion($1.documentedNames) }
                == Set(keys.names + arguments.names),
            "the header of \(file.name) has other names than its call: \(keys.names + arguments.names)"
        )
        let source = (declarations(keys, arguments) + constants).utf8 + file.completeText
        return Script(
            name: file.name,
            source: source,
            isRepeatable: file.isRepeatable,
            packsArguments: packsArguments
        )
    }

    private func declarations(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>) -> String {
        keys.declarations(from: "KEYS")
            + (packsArguments ? arguments.packedDeclarations : arguments.declarations(from: "ARGV")) + "\n"
    }
}

extension LuaScript {
    static let checkRights = LuaScript("check-rights", PackageResources.check_rights_lua) { _ in nil }
    static let markSlot = LuaScript("mark-slot", PackageResources.mark_slot_lua) { _ in nil }
}

/// Settings that many calls of a script share.
///
/// They are declared in Lua before the script's text, not passed as arguments in each call. An argument is copied four
/// times on its way into a script and usually parsed as a number: forty arguments took a tenth of a worker's
/// instructions for a send.
public protocol ScriptRules: Equatable, Sendable {
    /// Lua that declares the rules.
    var constants: String { get }
}

extension ScriptRules {
    func isEqual(to other: any ScriptRules) -> Bool { self == other as? Self }
}
