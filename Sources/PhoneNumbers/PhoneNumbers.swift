import CPhoneNumber

/// Reads phone numbers with libphonenumber. One value serves all threads.
///
/// Most numbers are read from tables made of the library's metadata, in less than a microsecond. One that was dialled with
/// a national prefix takes the way through the library, which takes locks and runs regular expressions: up to 100 µs. So
/// recent answers, refusals too, are remembered.
public final class PhoneNumbers: Sendable {
    private let cache: ReadingCache

    /// - Parameter cacheCapacity: how many answers to remember, at 24 bytes each. With 0, none.
    public init(cacheCapacity: Int = 4096) {
        cache = ReadingCache(capacity: cacheCapacity)
    }

    /// Reads the library's metadata, a few milliseconds. Call it before serving, or the first number pays.
    public func warmUp() {
        cphonenumber_warm_up()
    }

    /// Reads a number in international form: `+` and digits, in any spacing and punctuation that is usual.
    ///
    /// The number is possible, but need not be valid nor its region known: that is in the result, for the caller to judge.
    /// Reading the `text` of a result gives the same result.
    public func parse(_ text: String) throws(PhoneNumberError) -> E164 {
        try parse(text.utf8Span)
    }

    /// Reads a number from the bytes of a request; as ``parse(_:)-(String)``. Bytes that are not UTF-8 are malformed.
    public func parse(_ bytes: Span<UInt8>) throws(PhoneNumberError) -> E164 {
        guard bytes.count <= DialledDigits.longestTextBytes else { throw .malformed }
        let text: UTF8Span
        do { text = try UTF8Span(validating: bytes) } catch { throw .malformed }
        return try parse(text)
    }

    /// Whether the library has a numbering plan for this region. Use it to find typing errors in a configuration,
    /// such as `UK` for `GB`.
    public func knows(_ region: Region) -> Bool {
        region == .nonGeographic || cphonenumber_is_region(region.description)
    }

    private func parse(_ text: UTF8Span) throws(PhoneNumberError) -> E164 {
        let digits = try DialledDigits.read(text)
        if let known = cache.reading(of: digits) { return try known.get() }
        let reading = LibraryReading.read(digits)
        cache.insert(reading, of: digits)
        return try reading.get()
    }
}

extension PhoneNumbers: CustomReflectable {
    /// Shows nothing: the cache is full of numbers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
