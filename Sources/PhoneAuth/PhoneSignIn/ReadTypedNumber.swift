public import Encodings
public import PhoneNumbers

extension OperationContext {
    /// Reads a number that a person is typing, in any form that is dialed in a region. Depends on nothing but the
    /// numbering plans, so it reveals nothing about accounts, test numbers or earlier messages.
    ///
    /// - Throws: `PhoneNumberError` if the text cannot be the beginning of a number.
    public func read(typed text: String, in region: Region?) throws(PhoneNumberError) -> TypedNumber {
        try phoneNumbers.read(typed: text, in: region)
    }
}

extension Authenticator {
    /// The regions of the numbering data, sorted by code.
    public var dialedRegions: [DialedRegion] { phoneNumbers.data.regions }
}

extension NumberingData {
    /// The beginning of the day of the data's version.
    public var published: Instant? { Instant(utc: "\(date)T00:00:00Z") }
}
