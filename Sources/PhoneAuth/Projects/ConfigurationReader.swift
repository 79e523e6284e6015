internal import Encodings

/// A reader of one object of a configuration document. Its errors name the path of the faulty member.
struct ConfigurationReader {
    private let object: JSONObject
    private let path: String
    private let isStrict: Bool

    init(_ object: JSONObject, isStrict: Bool) {
        self.init(object, path: "", isStrict: isStrict)
    }

    private init(_ object: JSONObject, path: String, isStrict: Bool) {
        self.object = object
        self.path = path
        self.isStrict = isStrict
    }

    /// Rejects members with unknown names if the reader is strict.
    func knows(_ names: String...) throws(ConfigurationRefusal) {
        guard isStrict, let unknown = object.members.first(where: { !names.contains($0.name) }) else { return }
        let place = path.isEmpty ? "" : " at \"\(path.dropLast())\""
        throw ConfigurationRefusal("Unknown name \(ConfigurationDocument.quoted(unknown.name))\(place).")
    }

    func refusal(_ name: String, _ explanation: String) -> ConfigurationRefusal {
        ConfigurationRefusal("\(path)\(name) \(explanation).")
    }

    func reader(_ name: String) throws(ConfigurationRefusal) -> ConfigurationReader? {
        switch object[name] {
        case nil, .null: return nil
        case .object(let object): return ConfigurationReader(object, path: "\(path)\(name).", isStrict: isStrict)
        default: throw refusal(name, "must be an object")
        }
    }

    func readers(_ name: String) throws(ConfigurationRefusal) -> [ConfigurationReader]? {
        guard let elements = try elements(name) else { return nil }
        var readers: [ConfigurationReader] = []
        for element in elements {
            guard case .object(let object) = element else { throw refusal(name, "must be a list of objects") }
            readers.append(ConfigurationReader(object, path: "\(path)\(name).", isStrict: isStrict))
        }
        return readers
    }

    func flag(_ name: String) throws(ConfigurationRefusal) -> Bool? {
        switch object[name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw refusal(name, "must be true or false")
        }
    }

    func text(_ name: String) throws(ConfigurationRefusal) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw refusal(name, "must be a string")
        }
    }

    func number(_ name: String) throws(ConfigurationRefusal) -> Int? {
        switch object[name] {
        case nil, .null: return nil
        case let value?:
            guard let number = value.wholeNumber else { throw refusal(name, "must be a whole number") }
            return Int(number)
        }
    }

    func texts(_ name: String) throws(ConfigurationRefusal) -> [String]? {
        guard let elements = try elements(name) else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw refusal(name, "must be a list of strings") }
            texts.append(text)
        }
        return texts
    }

    private func elements(_ name: String) throws(ConfigurationRefusal) -> [JSONValue]? {
        switch object[name] {
        case nil, .null: return nil
        case .array(let elements): return elements
        default: throw refusal(name, "must be a list")
        }
    }
}
