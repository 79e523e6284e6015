internal import CPhoneNumber

/// A region, as an entry in a list of countries.
public struct DialedRegion: Sendable, Equatable {
    /// The region.
    public let region: Region
    /// Its calling code, without the plus sign.
    public let callingCode: Int
    /// Whether the region is the main one of its calling code, as US is for +1.
    public let isMainOfCallingCode: Bool
    /// A mobile number in national format that is not in use; empty if the library has no example.
    public let example: String

    /// The library's geographic regions, sorted by code. The first use takes about 2 ms.
    public static let all = regions(of: cphonenumber_regions)

    /// Returns the regions that a C function writes to an array.
    static func regions(
        of write: (UnsafeMutablePointer<cphonenumber_region>?, Int) -> Int
    ) -> [DialedRegion] {
        let most = Int(CPHONENUMBER_MOST_REGIONS)
        let entries = [cphonenumber_region](unsafeUninitializedCapacity: most) { array, count in
            count = write(array.baseAddress, array.count)
        }
        return entries.compactMap { entry in
            guard let region = Region(PhoneNumbers.text(of: entry.code)) else { return nil }
            return DialedRegion(
                region: region,
                callingCode: Int(entry.calling_code),
                isMainOfCallingCode: entry.is_main,
                example: PhoneNumbers.text(of: entry.example)
            )
        }
    }
}
