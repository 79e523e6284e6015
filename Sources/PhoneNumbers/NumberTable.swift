internal import Encodings

/// A table with a value for each number: the value of the longest matching prefix, otherwise of the number's region,
/// otherwise the fallback.
public struct NumberTable<Value: Sendable>: Sendable {
    /// Values by prefix: `+` and digits.
    public let prefixes: [String: Value]
    /// Values by region code.
    public let regions: [String: Value]
    /// The value for all other numbers.
    public let fallback: Value
    /// The lengths of the prefixes in bytes, longest first.
    private let prefixLengths: [Int]

    /// Creates a table.
    public init(prefixes: [String: Value] = [:], regions: [String: Value] = [:], fallback: Value) {
        self.prefixes = prefixes
        self.regions = regions
        self.fallback = fallback
        prefixLengths = Set(prefixes.keys.map(\.utf8.count)).sorted(by: >)
    }

    /// Returns the value for a number in E.164 form of this region; nil if the region is unknown.
    public func value(for phoneNumber: String, region: String?) -> Value {
        for length in prefixLengths {
            if let value = prefixes[String(phoneNumber.prefix(length))] { return value }
        }
        return region.flatMap { regions[$0] } ?? fallback
    }

    /// Returns the value for a number.
    public func value(for phone: E164) -> Value {
        value(for: phone.text, region: phone.effectiveRegion.description)
    }

    /// Returns a table with transformed values.
    public func map<Other>(_ transform: (Value) -> Other) -> NumberTable<Other> {
        NumberTable<Other>(
            prefixes: prefixes.mapValues(transform),
            regions: regions.mapValues(transform),
            fallback: transform(fallback)
        )
    }

    /// All values.
    public var values: [Value] { [fallback] + regions.values + prefixes.values }
}

extension NumberTable: Equatable where Value: Equatable {}
extension NumberTable: Hashable where Value: Hashable {}

extension NumberTable {
    /// Parses a table in the form of the settings: `+1876=0.31; JM=0.25; *=0.05`.
    ///
    /// Each row has a key and a value. The key is a prefix (`+` and 1 to 15 digits), a region (two letters, or
    /// `001` for non-geographic numbers) or `*` for all other numbers. Rows are separated by `;` or line breaks, in any
    /// order.
    ///
    /// - Parameters:
    ///   - text: the table's text.
    ///   - read: parses the value after the `=`; the key is for error texts.
    /// - Throws: ``NumberTableError`` for the first invalid row.
    public init<Reason: Error>(
        parsing text: String,
        _ read: (_ text: Substring, _ key: Substring) throws(Reason) -> Value
    ) throws(NumberTableError<Reason>) {
        var rows: [Key: Value] = [:]
        for row in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let row = row.trimmed
            if row.isEmpty { continue }
            guard let sign = row.firstIndex(of: "=") else { throw .malformedRow(String(row)) }
            let name = row[..<sign].trimmed
            guard let key = Key(name) else { throw .malformedKey(String(name)) }
            guard rows[key] == nil else { throw .repeatedKey(String(name)) }
            do throws(Reason) {
                rows[key] = try read(row[row.index(after: sign)...].trimmed, name)
            } catch {
                throw .value(error)
            }
        }
        guard let fallback = rows[.all] else { throw .noFallback }
        var prefixes: [String: Value] = [:]
        var regions: [String: Value] = [:]
        for (key, value) in rows {
            switch key {
            case .prefix(let prefix): prefixes[prefix] = value
            case .region(let region): regions[region] = value
            case .all: break
            }
        }
        self.init(prefixes: prefixes, regions: regions, fallback: fallback)
    }

    private enum Key: Hashable {
        case prefix(String)
        case region(String)
        case all

        init?(_ text: Substring) {
            if text == "*" {
                self = .all
            } else if text.hasPrefix("+") {
                let digits = text.dropFirst()
                guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit), digits.first != "0"
                else { return nil }
                self = .prefix(String(text))
            } else {
                let isCountry = text.utf8.count == 2 && text.utf8.allSatisfy(Self.isCapital)
                guard isCountry || (text.utf8.count == 3 && text.utf8.allSatisfy(Self.isDigit)) else { return nil }
                self = .region(String(text))
            }
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    }
}

/// The error in an operator's table.
public enum NumberTableError<Reason: Error>: Error {
    case malformedRow(String)
    case malformedKey(String)
    case repeatedKey(String)
    /// A row's value is invalid.
    case value(Reason)
    case noFallback
}

extension NumberTableError: Equatable where Reason: Equatable {}

extension NumberTableError: CustomStringConvertible {
    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedRow(let row): "\"\(row)\" has no ="
        case .malformedKey(let key): "\"\(key)\" is neither a prefix such as +1876, a region such as JM, nor *"
        case .repeatedKey(let key): "there are two entries for \(key)"
        case .value(let reason): "\(reason)"
        case .noFallback: "there is no entry for * (all other numbers)"
        }
    }
}
