/// A number's region as in the numbering data: an ISO 3166-1 alpha-2 code, or `001` for calling codes that belong to no
/// country, such as +800.
///
/// A number that matches no region's plan has no `Region`; `ZZ` is not a region.
public struct Region: Hashable, Sendable {
    /// Two ASCII letters, or 0 and 1 for `001`.
    private let first: UInt8
    private let second: UInt8

    /// The calling codes that belong to no country, `001`.
    public static let nonGeographic = Region(first: 0, second: 1)

    private init(first: UInt8, second: UInt8) {
        self.first = first
        self.second = second
    }

    /// Parses a code such as `US` or `001`; returns nil for `ZZ` and for anything but two capital letters or `001`.
    ///
    /// The region may not exist: see ``PhoneNumbers/knows(_:)``.
    public init?(_ code: String) {
        if code == "001" {
            self = .nonGeographic
            return
        }
        let letters = Array(code.utf8)
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard letters.count == 2, letters.allSatisfy(capitals.contains), code != "ZZ" else { return nil }
        self.init(first: letters[0], second: letters[1])
    }
}

extension Region: CustomStringConvertible {
    /// The code: `US`, `GB`, `001`.
    public var description: String {
        if self == .nonGeographic { return "001" }
        return String(decoding: [first, second], as: UTF8.self)
    }
}
