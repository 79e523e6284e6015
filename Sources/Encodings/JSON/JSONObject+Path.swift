/// Access to nested values by their path of names.
extension JSONObject {
    /// The value at the path; nil if it does not exist.
    public subscript(path path: some Collection<String>) -> JSONValue? {
        get {
            guard let name = path.first else { return .object(self) }
            let rest = path.dropFirst()
            guard !rest.isEmpty else { return self[name] }
            guard case .object(let object) = self[name] else { return nil }
            return object[path: rest]
        }
        set {
            guard let name = path.first else { return }
            let rest = path.dropFirst()
            guard !rest.isEmpty else {
                replace(name, by: newValue)
                return
            }
            var object = JSONObject()
            if case .object(let existing) = self[name] { object = existing } else if newValue == nil { return }
            object[path: rest] = newValue
            // Removes objects that have become empty.
            replace(name, by: object.members.isEmpty ? nil : .object(object))
        }
    }

    private mutating func replace(_ name: String, by value: JSONValue?) {
        if let value, let index = members.lastIndex(where: { $0.name == name }) {
            members[index].value = value
            return
        }
        members.removeAll { $0.name == name }
        if let value { members.append((name, value)) }
    }
}
