import AccountFiles
import PhoneAuth
import RedisScripts

/// The part of an import that one thread performs.
struct AccountImporter {
    /// Few enough passwords in plain text to hash them within the time that a batch may take.
    static let maximumPasswords = 10

    let authenticator: Authenticator
    let project: Project
    let origin: PasswordOrigin
    let existing: ExistingAccounts
    let isDryRun: Bool

    func importAccounts(_ records: [FileRecord]) throws(StoreUnavailable) -> ImportTally {
        var tally = ImportTally()
        var accounts: [(record: FileRecord, account: ReadAccount)] = []
        var refusals: [(place: Int, text: String)] = []
        for (index, record) in records.enumerated() {
            do {
                let account = try ReadAccount(record, origin)
                tally.skippedFields.formUnion(account.skippedFields)
                accounts.append((record, account))
            } catch {
                refusals.append((index, "\(record.place): \(error)"))
            }
        }
        let imported = accounts.map { record, account in
            ImportedAccount(uid: account.uid, account.change, source: record.content ?? [])
        }
        var outcomes: [ImportOutcome] = []
        for batch in Self.batches(of: imported) {
            try authenticator.beginWork()
            outcomes += try authenticator.operation(in: project).importAccounts(
                Array(imported[batch]),
                existing,
                isDryRun: isDryRun
            )
        }
        // A line may have several records.
        let places = Dictionary(records.enumerated().map { ($0.element.place, $0.offset) }) { first, _ in first }
        for ((record, account), outcome) in zip(accounts, outcomes) {
            switch outcome {
            case .created:
                tally.created += 1
                if isDryRun { tally.planned.append(("\(record.place)", account.identities)) }
            case .unchanged: tally.unchanged += 1
            case .kept: tally.kept += 1
            case .overwritten: tally.overwritten += 1
            case .refused(let refusal):
                refusals.append((places[record.place] ?? 0, "\(record.place): \(refusal.explanation)"))
                continue
            }
            if account.hasOtherProviders { tally.otherProviders += 1 }
            if account.lacksPassword { tally.lostPasswords += 1 }
        }
        tally.refusals = refusals.sorted { $0.place < $1.place }.map(\.text)
        tally.refused = refusals.count
        return tally
    }

    /// Divides accounts so that no batch has more than ``maximumPasswords`` passwords to hash.
    static func batches(of accounts: [ImportedAccount]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var (start, passwords) = (0, 0)
        for (index, account) in accounts.enumerated() {
            guard case .set = account.change.password else { continue }
            if passwords == maximumPasswords {
                batches.append(start..<index)
                (start, passwords) = (index, 0)
            }
            passwords += 1
        }
        return start < accounts.count ? batches + [start..<accounts.count] : batches
    }
}

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
    /// The accounts that a dry run would create, each with its place and what no other account may have.
    var planned: [(place: String, identities: [String])] = []

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

/// Finds accounts of a dry run that have an identity of an earlier one, which the import would refuse.
struct DuplicateFinder {
    private var known: Set<Int> = []

    /// Counts the duplicates of a part as refused, with a line for each.
    mutating func refuseDuplicates(in tally: inout ImportTally) {
        for (place, identities) in tally.planned {
            // All are inserted, even after the first that is known.
            let areNew = identities.map { known.insert($0.hashValue).inserted }
            guard areNew.contains(false) else { continue }
            tally.created -= 1
            tally.refused += 1
            tally.refusals.append("\(place): an account before it has the same uid, phone number or e-mail address")
        }
    }
}

extension ReadAccount {
    /// What no two accounts of a project may have in common.
    fileprivate var identities: [String] {
        var identities = ["uid " + uid]
        if case .set(let number) = change.phoneNumber { identities.append("number " + number) }
        if case .set(let email) = change.email { identities.append("email " + email.lowercased()) }
        return identities
    }
}
