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
