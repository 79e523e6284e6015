/// What is wrong with a member of a JSON object. It contains names, but never values.
public struct JSONFault: Error, Equatable {
    /// The type that a member should have.
    public enum Expectation: Sendable {
        case text, texts, integer, flag, object, objects
    }

    /// The path of the member's object; empty for the document, otherwise with a dot at its end: `users[3].`.
    public let place: String
    /// The name of the member.
    public let name: String
    /// The type that the member should have.
    public let expected: Expectation
    /// The index of the wrong element; nil if the member itself is wrong.
    public let index: Int?

    /// The path of the wrong value in the document, such as `users[3].mfaInfo[0]`.
    public var path: String { place + name + (index.map { "[\($0)]" } ?? "") }
}

/// An error that reports a ``JSONFault``.
public protocol JSONFailure: Error {
    /// Reports a fault.
    init(_ fault: JSONFault)
}

/// The rules by which ``JSONFields`` are read.
public enum JSONForm: Sendable {
    /// Names and types are exact. A number may also be a text.
    case exact
    /// Like `exact`; the caller also rejects members that it does not know.
    case closed
    /// As protocol buffers are read: names also in snake_case, numbers also as texts, and texts also as flags.
    case protocolBuffer
}

/// A reader of the members of a JSON object. An absent member and null are nil.
///
/// ```swift
/// let fields = JSONFields<KeyFileError>(object)
/// for key in try fields.objects("signingKeys") ?? [] { … try key.text("id") … }  // "signingKeys[2].id: expected …"
/// ```
public struct JSONFields<Failure: JSONFailure>: Sendable {
    /// All members, unparsed.
    public let members: JSONObject
    /// The rules.
    public let form: JSONForm
    /// The path of the object, as in ``JSONFault/place``.
    public let place: String
    /// Whether any name may be in snake_case. If not, absent members need only one lookup.
    private let hasSnakeCase: Bool

    /// Creates a reader of an object, by default of a document.
    public init(_ members: JSONObject = JSONObject(), _ form: JSONForm = .exact, at place: String = "") {
        self.members = members
        self.form = form
        self.place = place
        hasSnakeCase =
            form == .protocolBuffer && members.members.contains { $0.name.utf8.contains(UInt8(ascii: "_")) }
    }

    /// Returns a text.
    public func text(_ name: String) throws(Failure) -> String? { try read(name, .text, text(of:)) }

    /// Returns a text; nil also if it is empty.
    public func nonEmptyText(_ name: String) throws(Failure) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    /// Returns a whole number (``JSONValue/wholeNumber``).
    public func wholeNumber(_ name: String) throws(Failure) -> Int64? { try read(name, .integer, \.wholeNumber) }

    /// Returns a flag.
    public func flag(_ name: String) throws(Failure) -> Bool? {
        try read(name, .flag) { value in
            switch value {
            case .bool(let flag): flag
            case .string("true") where form == .protocolBuffer: true
            case .string("false") where form == .protocolBuffer: false
            default: nil
            }
        }
    }

    /// Returns the members of an object.
    public func fields(_ name: String) throws(Failure) -> Self? {
        try read(name, .object) { $0.object.map { Self($0, form, at: "\(place)\(name).") } }
    }

    /// Returns the members of the objects in a list.
    public func objects(_ name: String) throws(Failure) -> [Self]? {
        try elements(name, .objects) { value, index in
            value.object.map { Self($0, form, at: "\(place)\(name)[\(index)].") }
        }
    }

    /// Returns the texts in a list.
    public func texts(_ name: String) throws(Failure) -> [String]? {
        try elements(name, .texts) { value, _ in text(of: value) }
    }

    /// Returns a member unless it is null.
    public func value(_ name: String) -> JSONValue? {
        switch member(name) {
        case nil, .null: nil
        case let value?: value
        }
    }

    /// Returns whether a member is null.
    public func isNull(_ name: String) -> Bool { member(name) == .null }

    /// Returns the error for a member that has another type or is missing.
    public func failure(_ name: String, _ expected: JSONFault.Expectation, index: Int? = nil) -> Failure {
        Failure(JSONFault(place: place, name: name, expected: expected, index: index))
    }

    private func text(of value: JSONValue) -> String? {
        if form == .protocolBuffer, case .number(let spelling) = value { return spelling }
        return value.text
    }

    private func read<Value>(
        _ name: String,
        _ expected: JSONFault.Expectation,
        _ convert: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
        guard let value = value(name) else { return nil }
        guard let converted = convert(value) else { throw failure(name, expected) }
        return converted
    }

    private func elements<Element>(
        _ name: String,
        _ expected: JSONFault.Expectation,
        _ convert: (JSONValue, Int) -> Element?
    ) throws(Failure) -> [Element]? {
        guard let values = try read(name, expected, \.elements) else { return nil }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            guard let element = convert(value, index) else { throw failure(name, expected, index: index) }
            elements.append(element)
        }
        return elements
    }

    private func member(_ name: String) -> JSONValue? {
        members[name]
            ?? (hasSnakeCase ? members.members.last { Self.isSnakeCase($0.name, of: name) }?.value : nil)
    }

    /// Returns whether a text is the snake_case form of an ASCII name in camelCase.
    private static func isSnakeCase(_ text: String, of name: String) -> Bool {
        var rest = text.utf8.makeIterator()
        for byte in name.utf8 {
            if byte.isASCIIUppercaseLetter, rest.next() != UInt8(ascii: "_") { return false }
            if rest.next() != byte.asciiLowercased { return false }
        }
        return rest.next() == nil
    }
}
