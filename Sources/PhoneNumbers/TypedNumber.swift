internal import CPhoneNumber

/// libphonenumber's result for a number that a person is typing.
public struct TypedNumber: Sendable {
    /// The number and its formats, or why the text is not a number yet.
    public let reading: Result<FormattedNumber, PhoneNumberError>
    /// The typed text so far, with the separators of the numbering plan.
    public let asYouType: String

    /// A number in the formats in which people write it.
    public struct FormattedNumber: Sendable {
        /// The number.
        public let number: E164
        /// The format within its own region: `(650) 555-0100`.
        public let national: String
        /// The format for other regions: `+1 650-555-0100`.
        public let international: String
    }
}

extension TypedNumber: CustomReflectable, CustomStringConvertible {
    /// Shows nothing: phone numbers must not reach logs.
    public var description: String { "a typed number" }
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TypedNumber.FormattedNumber: CustomReflectable, CustomStringConvertible {
    /// The masked number.
    public var description: String { number.description }
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PhoneNumbers {
    /// Parses a number in any form that is dialed in a region: national or international, with any usual spacing and
    /// punctuation. Takes up to 200 µs, because only the library itself parses national forms.
    ///
    /// - Parameters:
    ///   - text: the typed text so far.
    ///   - region: the region whose national form is accepted; nil to accept only the international form.
    /// - Returns: the number, if it is complete, and the formatted text in any case.
    /// - Throws: ``PhoneNumberError/malformed`` for anything but digits, the plus sign and separators, or
    ///   ``PhoneNumberError/tooLong`` for more digits than any form has.
    public func read(typed text: String, in region: Region?) throws(PhoneNumberError) -> TypedNumber {
        let digits = try TypedDigits.read(text)
        var typed = cphonenumber_typed()
        cphonenumber_read_typed(digits, region?.description ?? "ZZ", &typed)
        let national = Self.text(of: typed.national)
        let international = Self.text(of: typed.international)
        let asYouType = Self.text(of: typed.as_you_type)
        let reading = LibraryReading.result(typed.status, typed.reading)
        if case .success(let number) = reading, case let canonical = CanonicalDigits.of(number.digits),
            canonical != number.digits
        {
            return TypedNumber(reading: try read(typed: "+\(canonical)", in: nil).reading, asYouType: asYouType)
        }
        return TypedNumber(
            reading: reading.map { number in
                TypedNumber.FormattedNumber(number: number, national: national, international: international)
            },
            asYouType: asYouType
        )
    }

    /// Returns the text of a C array, which ends with a zero.
    static func text(of array: some BitwiseCopyable) -> String {
        withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
