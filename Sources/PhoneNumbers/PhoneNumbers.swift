import CPhoneNumber

/// Parses phone numbers with libphonenumber. One value serves all threads.
///
/// Most numbers are read from tables made from the library's metadata, in less than a microsecond. A number with a
/// national prefix goes through the library, which takes locks and runs regular expressions: up to 100 µs. So recent
/// results, errors included, are cached.
public final class PhoneNumbers: Sendable {
    private let cache: ReadingCache

    /// - Parameter cacheCapacity: how many results to cache, at 24 bytes each. 0 caches none.
    public init(cacheCapacity: Int = 4096) {
        cache = ReadingCache(capacity: cacheCapacity)
    }

    /// Loads the library's metadata, which takes a few milliseconds. Call it before serving, or the first number pays.
    public func warmUp() {
        cphonenumber_warm_up()
    }

    /// Parses a number in international form: `+` and digits, with any usual spacing and punctuation.
    ///
    /// The number is possible, but it may be invalid or its region unknown: the result tells, and the caller decides.
    /// Parsing the `text` of a result gives the same result.
    public func parse(_ text: String) throws(PhoneNumberError) -> E164 {
        try parse(text.utf8Span)
    }

    /// Parses a number from the bytes of a request, as ``parse(_:)-(String)``. Bytes that are not UTF-8 are malformed.
    public func parse(_ bytes: Span<UInt8>) throws(PhoneNumberError) -> E164 {
        guard bytes.count <= DialledDigits.longestTextBytes else { throw .malformed }
        let text: UTF8Span
        do { text = try UTF8Span(validating: bytes) } catch { throw .malformed }
        return try parse(text)
    }

    /// Whether the library has a numbering plan for this region. Use it to find typing errors in a configuration, such
    /// as `UK` for `GB`.
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
