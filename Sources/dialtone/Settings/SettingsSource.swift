import Configuration
import Glibc

/// Where settings are looked up: the environment first, then the file. Both use the same names.
struct SettingsSource {
    private let reader: ConfigReader
    /// Every name that is set somewhere.
    let names: [String]

    /// - Parameters:
    ///   - path: a file of lines `DIALTONE_NAME=value`; nil for none.
    ///   - environment: the process's environment.
    /// - Throws: ``Failure`` for a file that cannot be read, a line of another form, or a name that means nothing here: a
    ///   misspelt limit must not go unnoticed.
    init(file path: String?, environment: [String: String] = processEnvironment()) throws(Failure) {
        let ours = environment.filter { $0.key.hasPrefix("DIALTONE_") }
        for name in ours.keys.sorted() where !SettingName.isKnown(name) {
            throw Failure("environment: \(name) is not a setting")
        }
        let file = try path.map(Self.lines) ?? [:]
        names = Set(ours.keys).union(file.keys).sorted()
        reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: ours),
            EnvironmentVariablesProvider(environmentVariables: file),
        ])
    }

    /// The text of a setting such as `redis.address` (`DIALTONE_REDIS_ADDRESS`); nil where it is unset or empty.
    func text(_ key: String) -> String? {
        reader.string(forKey: ConfigKey("dialtone." + key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The texts of a setting that is a list, separated by commas.
    func list(_ key: String) -> [String] {
        (text(key) ?? "").split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    private static func lines(of path: String) throws(Failure) -> [String: String] {
        var values: [String: String] = [:]
        let text = String(decoding: try readFile(path), as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Failure("\(path):\(index + 1): expected NAME=value") }
            let name = parts[0].trimmed
            guard SettingName.isKnown(name) else { throw Failure("\(path):\(index + 1): \(name) is not a setting") }
            guard values.updateValue(parts[1].trimmed, forKey: name) == nil else {
                throw Failure("\(path):\(index + 1): \(name) stands twice")
            }
        }
        return values
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

/// The process's environment.
func processEnvironment() -> [String: String] {
    var environment: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
        let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
        next += 1
    }
    return environment
}
