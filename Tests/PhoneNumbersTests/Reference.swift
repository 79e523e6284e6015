import TestBrowser

@testable import PhoneNumbers

/// How the PyPI package `phonenumbers`, an independent implementation with the same metadata, reads numbers.
enum Reference {
    struct Case {
        let region: Region?
        let text: String
        /// The values of `Reference/expectations.py` after the text.
        let values: [String]
    }

    /// Returns the example numbers of every region and type, and random numbers of each region.
    static func cases(seed: UInt64, ofEachRegion count: Int) throws -> [Case] {
        let output = try Python.run(["-B", script, String(seed), String(count)])
        return output.split(separator: "\n").map { line in
            let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Case(region: Region(values[0]), text: values[1], values: Array(values[2...]))
        }
    }

    private static let script = #filePath.replacingLast("Reference.swift", by: "Reference/expectations.py")

    /// The example numbers of every region, type and non-geographic calling code.
    static let examples = NumberingData.builtIn.examples
}

extension PhoneNumbers {
    /// Reads a typed number, with the values in the order of `Reference/expectations.py`.
    func values(_ text: String, in region: Region?) -> [String] {
        do {
            let formatted = try read(typed: text, in: region).reading.get()
            let number = formatted.number
            return [
                number.text, number.region?.description ?? "-", number.mainRegion.description, "\(number.isValid)",
                type(of: number)?.rawValue ?? "-", formatted.national, formatted.international,
            ]
        } catch {
            return ["error", "\(error)"]
        }
    }

    func result(_ text: String) -> Result<E164, PhoneNumberError> {
        do { return .success(try parse(text)) } catch { return .failure(error) }
    }
}

extension String {
    fileprivate func replacingLast(_ suffix: String, by other: String) -> String {
        String(dropLast(suffix.count)) + other
    }
}
