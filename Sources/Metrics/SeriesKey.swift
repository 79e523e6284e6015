/// The key of a series, as it is stored and printed: `dialtone_requests{route="token",status="2xx",result="ok"}`.
struct SeriesKey: Hashable, Sendable {
    /// The name of the metric.
    let family: String
    /// The labels in braces; empty if there are none.
    let labels: String

    /// The longest key, in bytes. A series with a longer key is counted as `other`.
    static let maximumBytes = 512

    /// Creates the key of a series. `values` are in the order of the family's labels; missing values are empty.
    init(_ family: MetricFamily, _ values: [String]) {
        self.family = family.name
        guard !family.labels.isEmpty else {
            labels = ""
            return
        }
        var text = "{"
        for (index, label) in family.labels.enumerated() {
            if index > 0 { text += "," }
            text += label
            text += "=\""
            Self.escape(index < values.count ? values[index] : "", into: &text)
            text += "\""
        }
        labels = text + "}"
    }

    /// Creates the key of the series that counts everything without its own series.
    init(otherOf family: MetricFamily) {
        self.init(family, family.labels.map { _ in "other" })
    }

    /// Parses a stored key. The text comes from a file, so it returns nil for any text that this type does not write.
    init?(parsing bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let name = text.utf8.prefix { $0 != UInt8(ascii: "{") }
        guard let first = name.first, !Self.isDigit(first), name.allSatisfy(Self.isNameByte) else { return nil }
        family = String(Substring(name))
        labels = String(text.dropFirst(family.count))
        guard labels.isEmpty || Self.labelNames(of: labels) != nil else { return nil }
    }

    /// The whole key.
    var text: String { family + labels }

    /// The names of the labels.
    var labelNames: [String] { Self.labelNames(of: labels) ?? [] }

    /// Returns the labels with one more, as the buckets of histograms have. `value` must need no escapes.
    func labels(and name: String, _ value: String) -> String {
        labels.isEmpty ? "{\(name)=\"\(value)\"}" : "\(labels.dropLast()),\(name)=\"\(value)\"}"
    }

    /// Returns the names in `{a="…",b="…"}`; nil if the text is malformed.
    private static func labelNames(of text: String) -> [String]? {
        var names: [String] = []
        var rest = Substring(text).utf8
        guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
        while true {
            let name = rest.prefix(while: isNameByte)
            guard let first = name.first, !isDigit(first) else { return nil }
            names.append(String(Substring(name)))
            rest = rest.dropFirst(name.count)
            guard rest.popFirst() == UInt8(ascii: "="), rest.popFirst() == UInt8(ascii: "\""), skipValue(&rest) else {
                return nil
            }
            switch rest.popFirst() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "}"): return rest.isEmpty ? names : nil
            default: return nil
            }
        }
    }

    /// Skips an escaped value and the quotation mark after it.
    private static func skipValue(_ rest: inout Substring.UTF8View) -> Bool {
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), "\\\"n".utf8.contains(escaped) else { return false }
            case 0..<0x20, 0x7f: return false
            default: continue
            }
        }
        return false
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Escapes backslashes, quotation marks and line feeds in a label's value. Other control characters become `?`.
    private static func escape(_ value: String, into text: inout String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f: text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
