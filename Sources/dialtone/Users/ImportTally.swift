/// The result of a part of an import.
struct ImportTally {
    var created = 0
    var unchanged = 0
    var kept = 0
    var overwritten = 0
    var refused = 0
    /// The number of imported accounts whose identities at other providers were dropped.
    var otherProviders = 0
    /// The number of imported accounts that have a password whose hash is not in the file.
    var lostPasswords = 0
    /// The names of the fields that were skipped, as far as they are shown.
    var skippedFields: Set<String> = []
    /// One line for each rejected account of the part; empty in totals.
    var refusals: [String] = []

    var count: Int { created + unchanged + kept + overwritten + refused }

    /// A text such as `created 3, unchanged 0, kept 0, overwritten 0, refused 1`.
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
        lostPasswords += other.lostPasswords
        if skippedFields.count < 50 { skippedFields.formUnion(other.skippedFields) }
    }
}
