import Encodings

/// The conversion between the text of a setting and its value.
struct SettingKind<Value> {
    /// The allowed values, for the example file; nil if the setting's summary states them.
    let domain: String?
    /// Parses a non-empty text.
    let parse: (_ text: String) throws(SettingFault) -> Value
    /// Returns the text of a value.
    let show: (_ value: Value) -> String

    /// Creates a kind whose `parse` throws the complete reason.
    init(
        domain: String? = nil,
        parse: @escaping (_ text: String) throws(SettingFault) -> Value,
        show: @escaping (_ value: Value) -> String
    ) {
        self.domain = domain
        self.parse = parse
        self.show = show
    }

    /// Creates a kind whose values have one form, as in `"x" is not a number from 1 to 512`. `parse` returns nil if a
    /// text does not have this form.
    init(
        domain: String? = nil,
        form: String,
        parse: @escaping (_ text: String) -> Value?,
        show: @escaping (_ value: Value) -> String
    ) {
        self.init(
            domain: domain,
            parse: { text throws(SettingFault) in
                guard let value = parse(text) else { throw .isNot(form) }
                return value
            },
            show: show
        )
    }

    /// Returns a kind with a fixed set of words, each of which stands for a value.
    static func choice(_ choices: KeyValuePairs<String, Value>) -> Self where Value: Equatable {
        let words = choices.map { $0.key }.joined(separator: ", ")
        return SettingKind(
            domain: words,
            form: "one of \(words)",
            parse: { text in choices.first { $0.key == text }?.value },
            show: { value in choices.first { $0.value == value }?.key ?? "" }
        )
    }

    /// Returns a kind with the raw values of an enumeration.
    static func choice() -> Self where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        let words = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
        return SettingKind(
            domain: words,
            form: "one of \(words)",
            parse: { Value(rawValue: $0) },
            show: { $0.rawValue }
        )
    }
}

extension SettingKind<Bool> {
    static var enabled: Self { choice(["enabled": true, "disabled": false]) }
}

extension SettingKind<Int> {
    static func number(_ range: ClosedRange<Int>) -> Self { number(range, unit: "") }

    fileprivate static func number(_ range: ClosedRange<Int>, unit: String) -> Self {
        let span = "\(range.lowerBound) to \(range.upperBound)"
        return SettingKind(
            domain: span + unit,
            form: "a number from \(span)",
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            show: { "\($0)" }
        )
    }

    /// Returns a kind with the same texts, but another type of value.
    fileprivate func map<Other>(_ value: @escaping (Int) -> Other, back: @escaping (Other) -> Int) -> SettingKind<Other>
    {
        SettingKind<Other>(
            domain: domain,
            parse: { text throws(SettingFault) in value(try self.parse(text)) },
            show: { self.show(back($0)) }
        )
    }
}

extension SettingKind<Duration> {
    static func milliseconds(_ range: ClosedRange<Int>) -> Self {
        SettingKind<Int>.number(range, unit: " milliseconds").map(
            { .milliseconds($0) },
            back: { Int($0 / .milliseconds(1)) }
        )
    }

    static func seconds(_ range: ClosedRange<Int>) -> Self { whole(range, "seconds", of: 1) }

    static func days(_ range: ClosedRange<Int>) -> Self { whole(range, "days", of: 86_400) }

    private static func whole(_ range: ClosedRange<Int>, _ unit: String, of seconds: Int) -> Self {
        SettingKind<Int>.number(range, unit: " \(unit)").map(
            { .seconds($0 * seconds) },
            back: { Int($0.components.seconds) / seconds }
        )
    }
}

extension SettingKind<String> {
    /// Any text.
    static var text: Self { SettingKind(form: "a text", parse: { $0 }, show: { $0 }) }

    /// Returns a kind for texts that have a form.
    static func text(_ form: String, where isValid: @escaping (String) -> Bool) -> Self {
        SettingKind(form: form, parse: { isValid($0) ? $0 : nil }, show: { $0 })
    }
}

extension SettingKind<[String]> {
    /// A comma-separated list of at least one text.
    static var list: Self { list(of: "texts") { $0 } }

    /// Names of projects or apps, without duplicates.
    static var names: Self {
        names(of: "a name of 1 to 63 lowercase letters, digits and dashes") { SettingName.isOwner($0) ? $0 : nil }
    }
}

extension SettingKind {
    /// Returns a kind for a comma-separated list of at least one value. Each value has a form, as in
    /// `XX is not a region code`.
    static func list<Element>(of form: String, _ element: @escaping (String) -> Element?) -> Self
    where Value == [Element] {
        SettingKind(
            parse: { text throws(SettingFault) in
                var elements: [Element] = []
                for item in text.split(separator: ",").map({ $0.trimmed }) where !item.isEmpty {
                    guard let value = element(String(item)) else { throw .because("\(item) is not \(form)") }
                    elements.append(value)
                }
                guard !elements.isEmpty else { throw .isNot("a comma-separated list") }
                return elements
            },
            show: { $0.map { "\($0)" }.joined(separator: ",") }
        )
    }

    /// Returns a kind for a list without duplicates.
    static func names<Element: Equatable>(of form: String, _ element: @escaping (String) -> Element?) -> Self
    where Value == [Element] {
        let list = list(of: form, element)
        return SettingKind(
            parse: { text throws(SettingFault) in
                let names = try list.parse(text)
                for (index, name) in names.enumerated() where names[..<index].contains(name) {
                    throw .because("\(name) is listed twice")
                }
                return names
            },
            show: list.show
        )
    }
}
