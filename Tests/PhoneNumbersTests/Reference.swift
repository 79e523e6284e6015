import CPhoneNumber

@testable import PhoneNumbers

/// The plain use of libphonenumber without this module's shortcuts: Parse, IsPossible, IsValidNumber, region.
enum Reference {
    static func read(_ text: String) -> Result<E164, PhoneNumberError> {
        var reading = cphonenumber_reading()
        let status = text.withCString { cphonenumber_reference_read($0, text.utf8.count, &reading) }
        return LibraryReading.result(status, reading)
    }

    /// The library's example numbers for every region, type and non-geographic calling code.
    static let examples: [String] = {
        var examples: [String] = []
        var buffer = [CChar](repeating: 0, count: 24)
        while cphonenumber_example(examples.count, &buffer, buffer.count) {
            examples.append(String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        return examples
    }()
}

extension PhoneNumbers {
    func result(_ text: String) -> Result<E164, PhoneNumberError> {
        Result { () throws(PhoneNumberError) in try parse(text) }
    }
}
