import CPhoneNumber

/// Conversion of libphonenumber's results to this module's types.
enum LibraryReading {
    static func read(_ digits: UInt64) -> Result<E164, PhoneNumberError> {
        var reading = cphonenumber_reading()
        let status = cphonenumber_read(digits, &reading)
        return possible(result(status, reading), digits)
    }

    /// Accepts a number of a length that the data do not know, unless it is too short: numbering plans grow. Numbers of
    /// +1 have exactly ten digits.
    private static func possible(
        _ result: Result<E164, PhoneNumberError>,
        _ digits: UInt64
    ) -> Result<E164, PhoneNumberError> {
        guard case .failure(.tooLong) = result else {
            guard case .failure(.notPossible) = result else { return result }
            return unknown(digits) ?? result
        }
        return unknown(digits) ?? result
    }

    private static func unknown(_ digits: UInt64) -> Result<E164, PhoneNumberError>? {
        let text = String(digits)
        guard text.utf8.count <= 15, !text.hasPrefix("1") else { return nil }
        return .success(E164(digits: digits, region: nil, mainRegion: mainRegion(of: digits), isValid: false))
    }

    private static let mainRegions = Dictionary(
        DialedRegion.all.filter(\.isMainOfCallingCode).map { ($0.callingCode, $0.region) },
        uniquingKeysWith: { $1 }
    )

    private static func mainRegion(of digits: UInt64) -> Region {
        let text = String(digits)
        for length in 1...3 {
            if let region = Int(text.prefix(length)).flatMap({ mainRegions[$0] }) { return region }
        }
        return .nonGeographic
    }

    static func result(
        _ status: cphonenumber_status,
        _ reading: cphonenumber_reading
    ) -> Result<E164, PhoneNumberError> {
        switch status {
        case CPHONENUMBER_OK:
            .success(
                E164(
                    digits: reading.digits,
                    region: region(reading),
                    mainRegion: mainRegion(of: reading.digits),
                    isValid: reading.is_valid
                )
            )
        case CPHONENUMBER_UNKNOWN_CALLING_CODE: .failure(.unknownCallingCode)
        case CPHONENUMBER_TOO_SHORT: .failure(.tooShort)
        case CPHONENUMBER_TOO_LONG: .failure(.tooLong)
        case CPHONENUMBER_NOT_POSSIBLE: .failure(.notPossible)
        default: .failure(.malformed)
        }
    }

    private static func region(_ reading: cphonenumber_reading) -> Region? {
        withUnsafeBytes(of: reading.region) { bytes in
            Region(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        }
    }
}
