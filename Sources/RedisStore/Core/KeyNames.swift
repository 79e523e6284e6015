internal import Encodings

/// Every Redis key of Dialtone, except those of rate limits: see ``RateLimit``. No other code knows a key's name.
///
/// The hash tag decides which keys a Redis Cluster keeps together in one slot. Each script and each command has keys of
/// one slot:
///
/// - `{PROJECT}`: all that concerns a project's messages, codes, limits and configuration.
/// - `{u/N}`, `{e/N}` and `{r/N}`: what grows with the number of users, divided into shards: accounts and their
///   sessions; claims of e-mail addresses; devices and their push receipts. Claims of numbers are in the project's
///   slot, so that an answer is one script.
/// - `{/}`: what the deployment has once.
///
/// A project's id contains no `/`, so no project has the tag of anything else.
enum KeyNames {
    /// Hash: the marks of the deployment's keys, the shard count with which it was created, and the index key in force.
    static let deployment = "dt:{/}:deployment"

    /// A pattern that matches every key.
    static let any = "dt:{*"

    static func session(_ id: SessionID) -> String { ofProject(id.project, "sess", id.text) }

    /// Returns a session's key without its id.
    static func sessionPrefix(_ project: String) -> String { ofProject(project, "sess", "") }

    /// A pattern that matches the key of each session of a project.
    static func anySession(of project: String) -> String { sessionPrefix(project) + "*" }

    /// Returns the session of a project that has this key.
    static func sessionID(ofKey key: String, of project: String) -> SessionID? {
        let prefix = sessionPrefix(project)
        guard key.hasPrefix(prefix) else { return nil }
        return SessionID(project: project, text: Array(key.utf8.dropFirst(prefix.utf8.count)))
    }

    /// Reentrancy lock → session id. The lock lives as long as the session, and holds as long as the session says.
    static func lock(_ phone: PhoneIdentity, binding: String) -> String {
        ofProject(phone.project, "lock", phone.hash, binding)
    }

    /// Wrong codes for this number since the last correct one. Wrong codes for the number as a test number are counted
    /// separately.
    static func wrongCodes(_ phone: PhoneIdentity, isTestNumber: Bool) -> String {
        ofProject(phone.project, isTestNumber ? "wrong-test-codes" : "wrong-codes", phone.hash)
    }

    /// Clients that gave this number's correct code, see `answer-session.lua`. A test number has a key for each code,
    /// named by the code's keyed hash: a client that knew a former code is a new client again.
    static func knownClients(_ phone: PhoneIdentity, testCodeHash: String? = nil) -> String {
        testCodeHash.map { ofProject(phone.project, "known-test-clients", phone.hash, $0) }
            ?? ofProject(phone.project, "known-clients", phone.hash)
    }

    /// Identifier → claim and uid.
    static func identifier<Identity: IdentifierIdentity>(_ identifier: Identity) -> String {
        let (kind, project, hash) = (Identity.kind.rawValue, identifier.project, identifier.hash)
        return identifier.claimShard.map { name("e", $0, kind, project, hash) } ?? ofProject(project, kind, hash)
    }

    /// A pattern that matches each key of an identifier, and others.
    static let anyOfIdentifiers = any + "}:*"

    /// Returns the hash of the identifier whose claim or records have this key; nil for other keys. Records are
    /// ``records(of:)``, and the wrong passwords for an address from one network.
    static func identifierHash(ofKey key: String) -> Substring? {
        let parts = key.split(separator: ":")
        guard parts.count >= 4 else { return nil }
        return switch parts[2] {
        case "wrong-passwords" where parts[3] == "by-network" && parts.count > 4: parts[4]
        case "phone", "sends", "wrong-codes", "wrong-test-codes", "new-clients-wrong-test-codes", "known-clients",
            "known-test-clients", "known-networks", "wrong-passwords":
            parts[3]
        case "email" where parts.count > 4: parts[4]
        default: nil
        }
    }

    /// What is counted and remembered for an identifier across all clients, in the same order for each identifier.
    static func records(of identifier: some IdentifierIdentity) -> [String] {
        let (project, hash) = (identifier.project, identifier.hash)
        if let shard = identifier.claimShard {
            let email = EmailIdentity(project: project, hash: hash, shard: shard)
            return [RateLimit.wrongPasswords(for: email, .day(1)).key, knownNetworks(email)]
        }
        let phone = PhoneIdentity(project: project, hash: hash)
        return [
            RateLimit.messages(to: phone, .day(1)).key,
            wrongCodes(phone, isTestNumber: false), wrongCodes(phone, isTestNumber: true),
            RateLimit.wrongTestCodes(for: phone, .day(1)).key,
            knownClients(phone),
        ]
    }

    /// Marks a temporary proof as used by a request.
    static func usedProof(_ id: TemporaryProofID) -> String { ofProject(id.project, "used-proof", id.text) }

    // MARK: Outboxes

    /// Stream of a project's items to send.
    static func outbox(_ outbox: Outbox, of project: String) -> String { ofProject(project, outbox.rawValue) }

    /// Sorted set: items of an outbox that wait for their next attempt, by the time when they are due.
    static func waiting(_ outbox: Outbox, of project: String) -> String {
        ofProject(project, outbox.rawValue, "waiting")
    }

    /// The record of a message's outcome.
    static func message(_ id: QueuedMessageID) -> String { ofProject(id.project, "message", id.entryID) }

    /// Sorted set: messages by the time when their delivery receipts are due.
    static func dueReceipts(of project: String) -> String { ofProject(project, "due-receipts") }

    /// Stream of messages that no gateway accepted.
    static func deadLetters(of project: String) -> String { ofProject(project, "dead-letters") }

    /// Stream of decisions about requests, except those of ``sendDecisions(of:_:)``. The reference selects one of the
    /// project's streams. Requests that name no project share streams.
    static func decisions(of project: String?, _ reference: DecisionReference) -> String {
        ofProject(project ?? "/", "decisions", String(reference.stream))
    }

    /// Stream of decisions about requests that returned a session.
    static func sendDecisions(of project: String, _ reference: DecisionReference) -> String {
        ofProject(project, "send-decisions", String(reference.stream))
    }

    /// Hash of a day: gateway and event → count.
    static func messageCounts(_ project: String, day: Int64) -> String {
        ofProject(project, "message-counts", String(day))
    }

    // MARK: Toll fraud

    /// The messages to a range of numbers, and how many of them were verified: see `number-ranges.lua`.
    static func range(_ kind: RangeKind, _ name: String, of project: String) -> String {
        ofProject(project, "range", kind.rawValue, name)
    }

    static func region(_ ranges: NumberRanges) -> String { range(.region, ranges.region, of: ranges.project) }

    static func series(_ ranges: NumberRanges) -> String { range(.series, ranges.series, of: ranges.project) }

    static func block(_ ranges: NumberRanges) -> String { range(.block, ranges.block, of: ranges.project) }

    /// A pattern that matches the key of each block of a project's numbers.
    static func anyBlock(of project: String) -> String { range(.block, "*", of: project) }

    /// Hash of a day: region → what was spent, in millionths. A message counts from the send on.
    static func spending(of project: String, day: Int64) -> String { ofProject(project, "spending", String(day)) }

    /// Hash of a day: event, region, series and gateway → amount. It is divided by the series' last character, because
    /// Redis searches a small hash field by field.
    static func ledger(of project: String, day: Int64, series: String) -> String {
        ofProject(project, "ledger", String(day), String(series.suffix(1)))
    }

    /// Returns the keys of a day's ledger. Hashes of series are in Base64url.
    static func ledgers(of project: String, day: Int64) -> [String] {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".map {
            ledger(of: project, day: day, series: String($0))
        }
    }

    /// Hash: series → its digits, sealed.
    static func seriesNames(of project: String) -> String { ofProject(project, "series-names") }

    /// Marks a network whose clients must solve the hard challenge.
    static func challengedNetwork(_ network: NetworkIdentity) -> String {
        ofProject(network.project, "challenged", network.hash)
    }

    // MARK: Accounts

    static func user(_ account: AccountIdentity) -> String {
        name("u", account.shard, "user", account.project, account.uid)
    }

    static func userPrefix(_ shard: Shard, _ project: String) -> String { name("u", shard, "user", project, "") }

    /// A pattern that matches the key of each account.
    static let anyUser = "dt:{u/*}:user:*"

    /// Returns the account that has this key.
    static func account(ofKey key: String, among shards: ShardCount) -> AccountIdentity? {
        // The uid is last and may contain colons.
        let parts = key.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[2] == "user" else { return nil }
        let account = AccountIdentity(project: String(parts[3]), uid: String(parts[4]), among: shards)
        return user(account) == key ? account : nil
    }

    /// The list of a project's accounts in a shard: the beginning of its keys' names, see `account-list.lua`.
    static func users(_ shard: Shard, _ project: String) -> String { name("u", shard, "users", project) }

    /// Sorted set: names of the pages of the list. Scripts derive this name from ``users(_:_:)``.
    static func userPages(_ shard: Shard, _ project: String) -> String { users(shard, project) + ":pages" }

    /// Sorted set: uids of a page of the list. Scripts derive this name from ``users(_:_:)``.
    static func userPage(_ name: String, _ shard: Shard, _ project: String) -> String {
        users(shard, project) + ":page:" + name
    }

    /// Sorted set of a project's anonymous accounts in a shard, by the time when they were last known to be used.
    /// Scripts derive this name from ``users(_:_:)``.
    static func anonymousUsers(_ shard: Shard, _ project: String) -> String { users(shard, project) + ":anonymous" }

    /// Marks an account as deleted by a request, as long as a concurrent sign-in may still reach it.
    static func deletedUser(_ account: AccountIdentity) -> String {
        name("u", account.shard, "deleted", account.project, account.uid)
    }

    /// Names the request that has given up creating an account, as long as its creation may still arrive.
    static func givenUpUser(_ account: AccountIdentity) -> String {
        name("u", account.shard, "given-up", account.project, account.uid)
    }

    /// Sorted set: ids of an account's sessions by the time of their last use.
    static func userSessions(_ account: AccountIdentity) -> String {
        name("u", account.shard, "sessions", account.project, account.uid)
    }

    static func userSessionsPrefix(_ shard: Shard, _ project: String) -> String {
        name("u", shard, "sessions", project, "")
    }

    /// A session with its refresh token.
    static func userSession(_ session: UserSessionIdentity) -> String {
        name("u", session.shard, "session", session.project, session.hash)
    }

    static func userSession(_ account: AccountIdentity, _ id: String) -> String {
        name("u", account.shard, "session", account.project, id)
    }

    static func userSessionPrefix(_ shard: Shard, _ project: String) -> String {
        name("u", shard, "session", project, "")
    }

    /// Hash: the authorization code of a session and what its client must present, all as hashes; once it is used, the
    /// request that used it.
    static func authorizationCode(_ session: UserSessionIdentity) -> String {
        name("u", session.shard, "authorization-code", session.project, session.hash)
    }

    /// Stream of the audit events of a shard's accounts.
    static func audit(_ shard: Shard) -> String { name("u", shard, "audit") }

    /// Stream of the audit events that must not evict others. Scripts derive this name from ``audit(_:)``.
    static func auditOverflow(_ shard: Shard) -> String { audit(shard) + "-overflow" }

    /// Hash: networks from which the user of an e-mail address has signed in.
    static func knownNetworks(_ email: EmailIdentity) -> String {
        ofProject(email.project, "known-networks", email.hash)
    }

    // MARK: App verification

    /// The record of an app's installation on one device.
    static func device(_ device: DeviceIdentity) -> String {
        devicePrefix(device.shard, device.project) + device.hash
    }

    /// Returns a device's key without its hash.
    static func devicePrefix(_ shard: Shard, _ project: String) -> String { name("r", shard, "device", project, "") }

    static func receipt(_ id: PushReceiptID) -> String { name("r", id.shard, "receipt", id.text) }

    /// Sorted set: receipts of pushes from a network to an app's devices that APNs does not know, or may not know, by
    /// the time until which they count.
    static func unprovenPushes(_ network: NetworkIdentity, bundleID: String) -> String {
        ofProject(network.project, "unproven-pushes", network.hash, bundleID)
    }

    /// The receipt of the push that a request queued.
    static func queuedPush(_ requestID: String, of project: String) -> String {
        ofProject(project, "queued-push", requestID)
    }

    /// Sorted set: networks to whose devices APNs refused an app's pushes as if the app's settings were wrong, by the
    /// time of the refusal.
    static func doubtfulPushes(_ project: String, bundleID: String) -> String {
        ofProject(project, "doubtful-pushes", bundleID)
    }

    /// Marks a challenge as solved for as long as its solution could be replayed.
    static func solvedChallenge(_ challenge: ChallengeIdentity) -> String {
        ofProject(challenge.project, "solved", challenge.hash)
    }

    static func challengeToken(_ token: ChallengeTokenIdentity) -> String {
        ofProject(token.project, "challenge-token", token.hash)
    }

    /// Marks a Play Integrity token as used by a request.
    static func usedIntegrityToken(_ token: IntegrityTokenIdentity) -> String {
        ofProject(token.project, "used-integrity-token", token.hash)
    }

    /// How many challenges a network requested recently.
    static func challenges(_ network: NetworkIdentity) -> String {
        ofProject(network.project, "challenges", network.hash)
    }

    /// Hash: bundle id → receipts issued before this time are revoked.
    static func revokedReceipts(_ project: String) -> String { ofProject(project, "revoked-receipts") }

    /// Hash: bundle id → until when APNs is expected to refuse its pushes.
    static func refusedPushes(_ project: String) -> String { ofProject(project, "refused-pushes") }

    /// Hash: decoy of password hashes in use → 1.
    static func passwordDecoys(_ project: String) -> String { ofProject(project, "password-decoys") }

    /// Hash of a day: app, environment and event → count.
    static func pushCounts(_ project: String, day: Int64) -> String { ofProject(project, "push-counts", String(day)) }

    // MARK: Settings

    /// Hash: SHA-256 of an admin token's secret → the token's rights.
    static let adminTokens = "dt:{/}:admin-tokens"

    /// Hash: keyed hash of a test number → the number and its code, sealed.
    static func testNumbers(_ project: String) -> String { ofProject(project, "test-numbers") }

    /// Hash of the operators' changes to a project's configuration, and its version.
    static func configuration(_ project: String) -> String { ofProject(project, "configuration") }

    // MARK: Rate limits

    /// Marks an event as counted in rate limits.
    static func countedEvent(_ id: String, of project: String) -> String { ofProject(project, "counted", id) }

    // MARK: Calls

    /// What a call stored in case it is resent.
    static func executedCall(_ id: String, inSlotOf key: String) -> String { "\(slot(of: key)):executed:\(id)" }

    /// The mark whose confirmation by replicas confirms all earlier writes in its slot.
    static func mark(inSlotOf key: String) -> String { "\(slot(of: key)):mark" }

    /// Returns the name of a key that does not exist, in the slot of a shard's keys.
    static func anyInSlot(_ family: StaticString, _ shard: Shard) -> String { name(family, shard, "none") }

    /// Returns the beginning of a key with its hash tag, `dt:{u/17}`. Keys with the same beginning are in one slot of a
    /// Redis Cluster.
    static func slot(of key: String) -> Substring {
        guard let end = key.utf8.firstIndex(of: UInt8(ascii: "}")) else { return key[...] }
        return Substring(key.utf8[...end])
    }

    /// Returns the keys of each slot of a Redis Cluster.
    static func bySlot(_ keys: [String]) -> [[String]] {
        Array(Dictionary(grouping: keys) { slot(of: $0) }.values)
    }

    /// Returns whether all keys are in one slot of a Redis Cluster.
    static func shareSlot(_ keys: some Sequence<String>) -> Bool {
        var first: Substring?
        for key in keys {
            let slot = slot(of: key)
            guard first == nil || first == slot else { return false }
            first = slot
        }
        return true
    }

    /// `dt:{u/17}:kind:project:…`
    static func name(_ family: StaticString, _ shard: Shard, _ parts: String...) -> String {
        let index = Int64(shard.index)
        return join(tagByteCount: 6 + family.utf8CodeUnitCount + index.decimalByteCount, parts) { name in
            name.append("dt:{")
            name.append(family)
            name.append("/")
            name.appendDecimal(index)
            name.append("}")
        }
    }

    /// `dt:{PROJECT}:kind:…`
    static func ofProject(_ project: String, _ parts: String...) -> String {
        join(tagByteCount: 5 + project.utf8.count, parts) { name in
            name.append("dt:{")
            var project = project
            project.withUTF8 { name.append(copying: $0) }
            name.append("}")
        }
    }

    /// Builds the name in a single allocation: a request needs more than a dozen names.
    private static func join(
        tagByteCount: Int,
        _ parts: [String],
        writeTag: (inout OutputSpan<UInt8>) -> Void
    ) -> String {
        let byteCount = parts.reduce(tagByteCount) { $0 + 1 + $1.utf8.count }
        return String(byteCount: byteCount) { name in
            writeTag(&name)
            for var part in parts {
                name.append(UInt8(ascii: ":"))
                part.withUTF8 { name.append(copying: $0) }
            }
        }
    }
}
