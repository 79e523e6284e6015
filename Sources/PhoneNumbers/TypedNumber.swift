internal import Encodings

/// What is known about a number that a person is typing.
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
    /// punctuation.
    ///
    /// - Parameters:
    ///   - text: the typed text so far.
    ///   - region: the region whose national form is accepted; nil to accept only the international form.
    /// - Returns: the number, if it is complete, and the formatted text in any case.
    /// - Throws: ``PhoneNumberError/malformed`` for anything but digits, the plus sign and separators, or
    ///   ``PhoneNumberError/tooLong`` for more digits than any form has.
    public func read(typed text: String, in region: Region?) throws(PhoneNumberError) -> TypedNumber {
        let (isInternational, digits) = try TypedDigits.read(text)
        let form = data.form(of: digits, isInternational: isInternational, in: region)
        return TypedNumber(reading: data.read(digits, form), asYouType: data.asYouType(digits, form))
    }
}

/// How the digits of a typed number are to be understood.
private enum TypedForm {
    /// The calling code's plan and the digits after it. The plus sign or the international prefix is before them.
    case international(NumberingPlan, prefix: String, [UInt8])
    /// As dialed within a region.
    case national(RegionPlan)
    /// No calling code is known. The prefix is empty or a plus sign.
    case unknown(prefix: String, PhoneNumberError)
}

extension NumberingData {
    fileprivate func form(of digits: [UInt8], isInternational: Bool, in region: Region?) -> TypedForm {
        if isInternational, let form = international(digits, prefix: "+") { return form }
        guard let region, let code = callingCode(of: region),
            let plan = plan(code).regions.first(where: { $0.region == region })
        else { return Self.unknown(digits, isInternational) }
        if let rest = plan.withoutInternationalPrefix(digits) {
            let prefix = NumberFormats.text(of: digits.dropLast(rest.count)) + (rest.isEmpty ? "" : " ")
            return international(rest, prefix: prefix)
                ?? .unknown(prefix: "", rest.count > 2 ? .unknownCallingCode : .tooShort)
        }
        return isInternational ? Self.unknown(digits, true) : .national(plan)
    }

    private static func unknown(_ digits: [UInt8], _ isInternational: Bool) -> TypedForm {
        isInternational
            ? .unknown(prefix: "+", digits.count > 2 ? .unknownCallingCode : .malformed)
            : .unknown(prefix: "", digits.count > 1 ? .unknownCallingCode : .malformed)
    }

    private func international(_ digits: [UInt8], prefix: String) -> TypedForm? {
        callingCode(of: digits).map { code in
            .international(plan(code), prefix: "\(prefix)\(code)", Array(digits.dropFirst(Digits.count(code))))
        }
    }

    fileprivate func asYouType(_ digits: [UInt8], _ form: TypedForm) -> String {
        switch form {
        case .unknown(let prefix, _): return prefix + NumberFormats.text(of: digits)
        case .international(let plan, let prefix, let rest):
            let formatted = plan.mainRegion.formats.formatUnfinished(rest, .international)
            return formatted.isEmpty ? prefix : "\(prefix) \(formatted)"
        case .national(let region):
            let formats = plan(region.callingCode).mainRegion.formats
            let prefix = region.nationalPrefix
            guard !prefix.isEmpty, digits.starts(with: prefix) else {
                return formats.formatUnfinished(digits, .withoutPrefix)
            }
            let rest = Array(digits.dropFirst(prefix.count))
            let national = formats.formatUnfinished(rest, .national)
            // The digits are the same in any format.
            if national.utf8.count(where: { (0x30...0x39).contains($0) }) == digits.count { return national }
            let text = NumberFormats.text(of: prefix)
            return rest.isEmpty ? text : "\(text) \(formats.formatUnfinished(rest, .withoutPrefix))"
        }
    }

    fileprivate func read(
        _ digits: [UInt8],
        _ form: TypedForm
    ) -> Result<TypedNumber.FormattedNumber, PhoneNumberError> {
        let plan: NumberingPlan
        let national: [UInt8]
        switch form {
        case .unknown(_, let reason): return .failure(reason)
        case .international(let thePlan, let prefix, let rest):
            guard !prefix.hasPrefix("+") || digits.count > 2 else { return .failure(.malformed) }
            (plan, national) = (thePlan, thePlan.mainRegion.national(rest))
        case .national(let region):
            guard digits.count > 1 else { return .failure(.malformed) }
            plan = self.plan(region.callingCode)
            national = Self.national(digits, in: region, plan)
        }
        guard national.count > 1 else { return .failure(.tooShort) }
        // Read it as a request to send a code would, so that both agree about every number.
        return read(Digits.of(UInt64(plan.callingCode)) + national).map { number in
            let national = Array(Digits.of(number.digits).dropFirst(Digits.count(plan.callingCode)))
            let formats = plan.mainRegion.formats
            return TypedNumber.FormattedNumber(
                number: number,
                national: formats.format(national, .national),
                international: "+\(plan.callingCode) \(formats.format(national, .international))"
            )
        }
    }

    /// Returns the national number of what is dialed within a region. The calling code may precede it, without a plus
    /// sign.
    private static func national(_ digits: [UInt8], in region: RegionPlan, _ plan: NumberingPlan) -> [UInt8] {
        let code = Digits.of(UInt64(region.callingCode))
        if digits.starts(with: code) {
            let rest = region.withoutPrefix(Array(digits.dropFirst(code.count)))
            if region.length(of: digits) == .tooLong || !region.isViable(digits) && region.isViable(rest) {
                return plan.mainRegion.national(rest)
            }
        }
        return region.national(digits)
    }
}

/// The digits of a phone number that a person is typing, in any form that is dialed in their region.
enum TypedDigits {
    /// The length of the longest accepted form: the 15 digits of E.164 after an international prefix or a superfluous
    /// national prefix.
    static let most = 24

    /// Returns whether the text begins with a plus sign, and its digits.
    ///
    /// - Throws: ``PhoneNumberError/malformed`` for other characters, or ``PhoneNumberError/tooLong``.
    static func read(_ text: String) throws(PhoneNumberError) -> (isInternational: Bool, digits: [UInt8]) {
        guard text.utf8.count <= DialedDigits.longestTextBytes else { throw .malformed }
        var isInternational = false
        var digits: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let digit = scalar.decimalDigit {
                digits.append(digit)
            } else if DialedDigits.isPlus(scalar) {
                guard digits.isEmpty, !isInternational else { throw .malformed }
                isInternational = true
            } else if !DialedDigits.isSeparator(scalar), !DialedDigits.isMargin(scalar) {
                throw .malformed
            }
        }
        guard digits.count <= most else { throw .tooLong }
        return (isInternational, digits)
    }
}
