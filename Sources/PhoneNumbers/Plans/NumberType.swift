/// The type of a number. The raw values are the names in numbering data, in the order in which the types are tried.
enum NumberType: String, CaseIterable, Sendable {
    case premiumRate = "premium"
    case tollFree = "free"
    case sharedCost = "shared"
    case voip
    case personal
    case pager
    case uan
    case voicemail
    case fixedLine = "fixed"
    case mobile
    /// Not a name in the data: numbers of the region's fixed lines and mobiles look the same.
    case fixedLineOrMobile = "fixed-or-mobile"
}
