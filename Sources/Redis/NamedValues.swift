/// The keys or arguments of a script call, with the names that the script uses for them:
///
/// ```swift
/// let arguments: NamedValues<Argument> = ["now": .integer(now), "uid": .text(uid)]
/// ```
public struct NamedValues<Value: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
    /// The names and values. If the tuple had labels, Swift would cast the elements of each literal one by one.
    private(set) var elements: [(StaticString, Value)]
    /// Any number of further values, all under ``listName``.
    let list: [Value]
    private let listName: StaticString?

    /// Creates values from a literal.
    public init(dictionaryLiteral elements: (StaticString, Value)...) {
        self.elements = elements
        list = []
        listName = nil
    }

    /// Creates values, followed by any number of values under one name.
    public init(_ values: NamedValues = [:], list name: StaticString, _ list: [Value]) {
        elements = values.elements
        self.list = list
        listName = name
    }

    /// Inserts a value before the list.
    public mutating func append(_ name: StaticString, _ value: Value) { elements.append((name, value)) }

    /// Returns both values, with the list of the second.
    public static func + (first: Self, second: Self) -> Self {
        var sum = second
        sum.elements.insert(contentsOf: first.elements, at: 0)
        return sum
    }

    /// Whether a list follows, which may be empty.
    var hasList: Bool { listName != nil }

    var count: Int { elements.count + list.count }

    /// All values, in the order in which a script receives them.
    public var values: [Value] { elements.map(\.1) + list }

    /// The first value.
    public var first: Value? { elements.first?.1 ?? list.first }

    /// All names, in the order of the values.
    public var names: [String] { (elements.map(\.0) + [listName].compactMap(\.self)).map(\.description) }

    /// Returns Lua that declares the names as local variables with the values of `table`, which is `KEYS` or `ARGV`.
    public func declarations(from table: String) -> String {
        var lua = ""
        if !elements.isEmpty {
            let names = elements.map(\.0.description).joined(separator: ",")
            lua = "local \(names)=unpack(\(table),1,\(elements.count)) "
        }
        if let listName { lua += "local \(listName)={unpack(\(table),\(elements.count + 1))} " }
        return lua
    }
}
