/// A value for each number: by the longest prefix that it begins with, else by its region, else the one for all others.
public struct NumberTable<Value: Sendable>: Sendable {
    /// By prefix: `+` and digits.
    public let prefixes: [String: Value]
    /// By region code.
    public let regions: [String: Value]
    /// For all others.
    public let fallback: Value
    /// The prefixes' lengths in bytes, the longest first.
    private let prefixLengths: [Int]

    /// A table of so many rows.
    public init(prefixes: [String: Value] = [:], regions: [String: Value] = [:], fallback: Value) {
        self.prefixes = prefixes
        self.regions = regions
        self.fallback = fallback
        prefixLengths = Set(prefixes.keys.map(\.utf8.count)).sorted(by: >)
    }

    /// The value for a number in E.164 form, of this region; nil where the region is not known.
    public func value(for phoneNumber: String, region: String?) -> Value {
        for length in prefixLengths {
            if let value = prefixes[String(phoneNumber.prefix(length))] { return value }
        }
        return region.flatMap { regions[$0] } ?? fallback
    }

    /// The value for a number.
    public func value(for phone: E164) -> Value {
        value(for: phone.text, region: phone.region?.description)
    }

    /// The table in which each value has been made another.
    public func map<Other>(_ transform: (Value) -> Other) -> NumberTable<Other> {
        NumberTable<Other>(
            prefixes: prefixes.mapValues(transform),
            regions: regions.mapValues(transform),
            fallback: transform(fallback)
        )
    }

    /// Every value that there is.
    public var values: [Value] { [fallback] + regions.values + prefixes.values }
}

extension NumberTable: Equatable where Value: Equatable {}
extension NumberTable: Hashable where Value: Hashable {}
