import Glibc
import Encodings

/// The texts of settings. Environment variables take precedence over the file. Both use the same names.
struct SettingsSource {
    /// The names that are set, each with its place: a line of the file, or the environment.
    let names: [(name: String, place: String)]
    /// The faults: malformed lines, and names that are set twice.
    let faults: [FaultySetting]
    /// The settings file; nil if there is none.
    let path: String?
    private let texts: [String: String]
    /// The positions of names and of places, by which faults are sorted.
    private let positions: [String: Int]

    /// Reads the file and the environment variables.
    ///
    /// - Parameters:
    ///   - path: a file of lines `DIALTONE_NAME=value`; nil for none.
    ///   - environment: the process's environment.
    /// - Throws: ``Failure`` if the file cannot be read.
    init(file path: String?, environment: [String: String] = processEnvironment()) throws(Failure) {
        let ours = environment.filter { $0.key.hasPrefix(SettingName.deployment) }
        var names = ours.keys.sorted().map { (name: $0, place: "environment") }
        var texts: [String: String] = [:]
        var faults: [FaultySetting] = []
        var positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1.name, $0) })
        if let path {
            guard let text = String(validating: try readFile(path), as: UTF8.self) else {
                throw Failure("\(path): not text in UTF-8")
            }
            // Some editors begin a file with a byte order mark.
            for (index, line) in text.drop(while: { $0 == "\u{FEFF}" })
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            {
                let line = line.trimmed
                if line.isEmpty || line.hasPrefix("#") { continue }
                let place = "\(path):\(index + 1)"
                // Errors never quote the text of an invalid line, because it may be part of a secret.
                guard let sign = line.firstIndex(of: "="), case let name = String(line[..<sign].trimmed),
                    SettingName.isWellFormed(name)
                else {
                    positions[place] = positions.count
                    faults.append(FaultySetting(name: place, line: "\(place): the line is not NAME=value"))
                    continue
                }
                let text = String(line[line.index(after: sign)...].trimmed)
                guard texts.updateValue(text, forKey: name) == nil else {
                    let line = "\(place): \(name) is set twice; remove one of the lines"
                    faults.append(FaultySetting(name: name, line: line))
                    continue
                }
                names.append((name, place))
                positions[name] = positions[name] ?? positions.count
            }
        }
        self.path = path
        self.names = names
        self.faults = faults
        self.positions = positions
        self.texts = texts.merging(ours) { _, ours in ours }
    }

    /// Returns the position at which a name is set, for sorting; `Int.max` if it is not set.
    func position(of name: String) -> Int { positions[name] ?? .max }

    /// Returns the text of a setting; nil if it is not set or empty.
    func text(_ name: String) -> String? {
        texts[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the text of a setting. That of a secret may be in a file of its own, which another setting names.
    /// - Throws: ``FaultySetting`` if the file cannot be read, or if both are set.
    func text(_ name: String, isSecret: Bool) throws(FaultySetting) -> String? {
        let fileName = SettingName.file(of: name)
        guard isSecret, let path = text(fileName) else { return text(name) }
        guard text(name) == nil else {
            throw FaultySetting(name: fileName, line: "\(fileName): \(name) is set, too; remove one of them")
        }
        do {
            return String(String(decoding: try readFile(path), as: UTF8.self)[...].trimmed)
        } catch {
            throw FaultySetting(name: fileName, line: "\(fileName): \(error)")
        }
    }
}

/// Returns the process's environment.
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
