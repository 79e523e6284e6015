/// Values that a worker packs into one text, one per line, because each field and argument of a script costs Redis
/// time.
struct NamedLines {
    private let names: [String]
    private let values: [Substring]

    /// Splits a text. The last value may contain line breaks.
    init(_ text: String, names: [String]) {
        self.names = names
        values = text.split(separator: "\n", maxSplits: names.count - 1, omittingEmptySubsequences: false)
    }

    /// Returns a value by its name; nil if the text does not have it.
    subscript(name: String) -> String? {
        guard let index = names.firstIndex(of: name), values.indices.contains(index) else { return nil }
        return String(values[index])
    }
}
