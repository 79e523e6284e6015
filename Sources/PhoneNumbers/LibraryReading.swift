import CPhoneNumber

/// Conversion of libphonenumber's results to this module's types.
enum LibraryReading {
    static func read(_ digits: UInt64) -> Result<E164, PhoneNumberError> {
        var reading = cphonenumber_reading()
        let status = cphonenumber_read(digits, &reading)
        return result(status, reading)
    }

    static func result(
        _ status: cphonenumber_status,
        _ reading: cphonenumber_reading
    ) -> Result<E164, PhoneNumberError> {
        switch status {
        case CPHONENUMBER_OK:
            .success(E164(digits: reading.digits, region: region(reading), isValid: reading.is_valid))
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
