internal import CPhoneNumber

/// A region as an entry of a list of countries.
public struct DialledRegion: Sendable, Equatable {
    /// The region.
    public let region: Region
    /// Its calling code, without the plus sign.
    public let callingCode: Int
    /// Whether the region is the main one of its calling code, as US is of +1.
    public let isMainOfCallingCode: Bool
    /// A mobile number in national format, which no one has; empty if the library has none.
    public let example: String

    /// Every region that the library knows, by code, without those of no country. Takes some 2 ms when it is first
    /// used.
    public static let all = regions(of: cphonenumber_regions)

    /// Returns the regions that a C function writes to an array.
    static func regions(
        of write: (UnsafeMutablePointer<cphonenumber_region>?, Int) -> Int
    ) -> [DialledRegion] {
        let most = Int(CPHONENUMBER_MOST_REGIONS)
        let entries = [cphonenumber_region](unsafeUninitializedCapacity: most) { array, count in
            count = write(array.baseAddress, array.count)
        }
        return entries.compactMap { entry in
            guard let region = Region(PhoneNumbers.text(of: entry.code)) else { return nil }
            return DialledRegion(
                region: region,
                callingCode: Int(entry.calling_code),
                isMainOfCallingCode: entry.is_main,
                example: PhoneNumbers.text(of: entry.example)
            )
        }
    }
}
