/// What came of a part of an import.
struct ImportTally {
    var created = 0
    var unchanged = 0
    var kept = 0
    var overwritten = 0
    var refused = 0
    /// Accounts that were taken, but for their identities of other providers.
    var otherProviders = 0
    /// A line for each account that was refused in the part; sums have none.
    var refusals: [String] = []

    var count: Int { created + unchanged + kept + overwritten + refused }

    /// Such as `created 3, unchanged 0, kept 0, overwritten 0, refused 1`.
    var summary: String {
        "created \(created), unchanged \(unchanged), kept \(kept), overwritten \(overwritten), refused \(refused)"
    }

    mutating func add(_ other: ImportTally) {
        created += other.created
        unchanged += other.unchanged
        kept += other.kept
        overwritten += other.overwritten
        refused += other.refused
        otherProviders += other.otherProviders
    }
}
