import CPhoneNumber

/// A parser of phone numbers that uses libphonenumber. One object serves all threads.
///
/// Most numbers are parsed with tables that are made from the library's metadata, in less than a microsecond. Numbers
/// with a national prefix are parsed by the library, which takes locks and runs regular expressions: up to 100 µs. So
/// recent results, including errors, are cached.
///
/// ```swift
/// let number = try phoneNumbers.parse("+1 650-555-0100")
/// number.text  // +16505550100
/// number.region  // US
/// ```
public final class PhoneNumbers: Sendable {
    /// The version of the numbering data, such as `9.0.43`, and their date, such as `2026-11-20`.
    public struct DataVersion: Sendable, Equatable {
        public let version: String
        public let date: String
    }

    /// The version of the numbering data in use.
    public var data: DataVersion { DataVersion(version: "8.12.57", date: "2022-10-13") }

    private let cache: ReadingCache

    /// Creates a parser.
    ///
    /// - Parameter cacheCapacity: the number of results to cache, at 24 bytes each. 0 disables the cache.
    public init(cacheCapacity: Int = 4096) {
        cache = ReadingCache(capacity: cacheCapacity)
    }

    /// Loads the library's metadata, which takes a few milliseconds. Call it before serving, so that the first number
    /// does not take this time.
    public func warmUp() {
        cphonenumber_warm_up()
    }

    /// Parses a number in international form: `+` and digits, with any usual spacing and punctuation.
    ///
    /// The number is possible, but it may be invalid, or its region unknown. The result contains this information, and
    /// the caller decides. Parsing the `text` of a result returns the same result.
    public func parse(_ text: String) throws(PhoneNumberError) -> E164 {
        try parse(text.utf8Span)
    }

    /// Parses a number from the bytes of a request, like ``parse(_:)-(String)``. Bytes that are not UTF-8 are
    /// malformed.
    public func parse(_ bytes: Span<UInt8>) throws(PhoneNumberError) -> E164 {
        guard bytes.count <= DialedDigits.longestTextBytes else { throw .malformed }
        let text: UTF8Span
        do { text = try UTF8Span(validating: bytes) } catch { throw .malformed }
        return try parse(text)
    }

    /// Returns whether the library has a numbering plan for this region. Use it to find typing errors in a
    /// configuration, such as `UK` instead of `GB`.
    public func knows(_ region: Region) -> Bool {
        region == .nonGeographic || cphonenumber_is_region(region.description)
    }

    private func parse(_ text: UTF8Span) throws(PhoneNumberError) -> E164 {
        let digits = try DialedDigits.read(text)
        if let known = cache.reading(of: digits) { return try known.get() }
        let reading = Self.read(digits)
        cache.insert(reading, of: digits)
        return try reading.get()
    }

    private static func read(_ digits: UInt64) -> Result<E164, PhoneNumberError> {
        let reading = LibraryReading.read(digits)
        guard case .success(let number) = reading, case let canonical = CanonicalDigits.of(number.digits),
            canonical != number.digits
        else { return reading }
        return LibraryReading.read(canonical)
    }
}

extension PhoneNumbers: CustomReflectable {
    /// Empty: the cache contains phone numbers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
