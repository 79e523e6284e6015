internal import Encodings

/// Every Redis key of Dialtone, except those of sliding-window rate limits: see ``RateLimit``. No other code knows a
/// key's name.
///
/// The hash tag names a shard. A Redis Cluster therefore keeps each shard in one slot, and each script and each command
/// has keys of one slot. The tags are `pN` for phone numbers, `eN` for e-mail addresses, `uN` for accounts, `rN` for
/// devices and their push receipts, `cN` for challenges, `nN` for client networks, `gN` for ranges of numbers, and `dN`
/// for decisions.
enum KeyNames {
    /// Hash: the marks of the deployment's keys, the shard count with which it was created, and the index key in force.
    static let deployment = "dt:{settings}:deployment"

    /// A pattern that matches every key.
    static let any = "dt:{*"

    static func session(_ id: SessionID) -> String { name("p", id.shard, "sess", id.text) }

    /// Returns a session's key without its id.
    static func sessionPrefix(_ shard: Shard) -> String { name("p", shard, "sess", "") }

    /// A pattern that matches the key of each session.
    static let anySession = "dt:{p*}:sess:*"

    /// Returns the session that has this key.
    static func sessionID(ofKey key: String) -> SessionID? {
        let parts = key.split(separator: ":")
        guard parts.count == 4, let shard = UInt16(parts[1].dropFirst(2).dropLast()) else { return nil }
        return SessionID(shard: Shard(index: shard), text: Array(parts[3].utf8))
    }

    /// Reentrancy lock → session id. The lock lives as long as the session, and holds as long as the session says.
    static func lock(_ phone: PhoneIdentity, binding: String) -> String {
        name("p", phone.shard, "lock", phone.project, phone.hash, binding)
    }

    /// Wrong codes for this number since the last correct one. Wrong codes for the number as a test number are counted
    /// separately.
    static func wrongCodes(_ phone: PhoneIdentity, isTestNumber: Bool) -> String {
        name("p", phone.shard, isTestNumber ? "wrong-test-codes" : "wrong-codes", phone.project, phone.hash)
    }

    /// Sorted set: clients that gave this number's correct code, by the time when they last did. A test number has a
    /// set for each code, named by the code's keyed hash: a client that knew a former code is a new client again.
    static func knownClients(_ phone: PhoneIdentity, testCodeHash: String? = nil) -> String {
        guard let testCodeHash else { return name("p", phone.shard, "known-clients", phone.project, phone.hash) }
        return name("p", phone.shard, "known-test-clients", phone.project, phone.hash, testCodeHash)
    }

    /// Identifier → claim and uid.
    static func identifier<Subject: IdentifierSubject>(_ identifier: HashedIdentity<Subject>) -> String {
        let family: StaticString =
            switch Subject.kind {
            case .phone: "p"
            case .email: "e"
            }
        return name(family, identifier.shard, Subject.kind.rawValue, identifier.project, identifier.hash)
    }

    /// A pattern that matches each key of an identifier.
    static let anyOfIdentifiers = "dt:{[pe]*}:*"

    /// Returns the hash of the identifier whose claim or records have this key; nil for other keys. Records are
    /// ``records(of:)``, and the wrong passwords for an address from one network.
    static func identifierHash(ofKey key: String) -> Substring? {
        let parts = key.split(separator: ":")
        guard parts.count >= 5 else { return nil }
        return switch parts[2] {
        case "phone", "email", "wrong-codes", "wrong-test-codes", "new-clients-wrong-test-codes", "known-clients",
            "known-test-clients", "known-networks", "wrong-passwords":
            parts[4]
        case "rate": parts.last
        default: nil
        }
    }

    /// What is counted and remembered for an identifier across all clients, in the same order for each identifier:
    /// hashes, or sorted sets.
    static func records<Subject: IdentifierSubject>(
        of identifier: HashedIdentity<Subject>
    ) -> [(key: String, isHash: Bool)] {
        let (project, hash, shard) = (identifier.project, identifier.hash, identifier.shard)
        switch Subject.kind {
        case .phone:
            let phone = PhoneIdentity(project: project, hash: hash, shard: shard)
            return [
                (RateLimit.messages(to: phone, .day(1)).key, false),
                (wrongCodes(phone, isTestNumber: false), true), (wrongCodes(phone, isTestNumber: true), true),
                (RateLimit.wrongTestCodes(for: phone, .day(1)).key, false),
                (knownClients(phone), false),
            ]
        case .email:
            let email = EmailIdentity(project: project, hash: hash, shard: shard)
            return [(RateLimit.wrongPasswords(for: email, .day(1)).key, false), (knownNetworks(email), true)]
        }
    }

    /// Marks a temporary proof as used by a request.
    static func usedProof(_ id: TemporaryProofID) -> String { name("p", id.shard, "used-proof", id.text) }

    // MARK: Outboxes

    /// Stream of items to send.
    static func outbox(_ outbox: Outbox, _ shard: Shard) -> String {
        switch outbox {
        case .messages: name("p", shard, "outbox")
        case .pushes: name("r", shard, "outbox")
        }
    }

    /// Sorted set: items of an outbox that wait for their next attempt, by the time when they are due.
    static func waiting(_ outbox: Outbox, _ shard: Shard) -> String {
        switch outbox {
        case .messages: name("p", shard, "waiting")
        case .pushes: name("r", shard, "waiting")
        }
    }

    /// Returns the shard of an outbox's key.
    static func shard(ofOutbox key: String) -> Shard? {
        guard let end = key.firstIndex(of: "}"), key.hasPrefix("dt:{"), key.hasSuffix("}:outbox") else { return nil }
        return UInt16(key[..<end].dropFirst(5)).map { Shard(index: $0) }
    }

    /// The record of a message's outcome.
    static func message(_ id: QueuedMessageID) -> String { name("p", id.shard, "message", id.entryID) }

    /// Sorted set: messages by the time when their delivery receipts are due.
    static func dueReceipts(_ shard: Shard) -> String { name("p", shard, "due-receipts") }

    /// Stream of messages that no gateway accepted.
    static func deadLetters(_ shard: Shard) -> String { name("p", shard, "dead-letters") }

    /// Stream of decisions about requests, except those of ``sendDecisions(_:)``.
    static func decisions(_ shard: Shard) -> String { name("d", shard, "decisions") }

    /// Stream of decisions about requests that returned a session of one of the shard's numbers.
    static func sendDecisions(_ shard: Shard) -> String { name("p", shard, "decisions") }

    /// Hash of a day: gateway and event → count.
    static func messageCounts(_ project: String, day: Int64) -> String {
        "dt:{settings}:message-counts:\(project):\(day)"
    }

    // MARK: Toll fraud

    /// The unverified messages (debt) of a region.
    static func region(_ region: NumberRange, _ shard: Shard) -> String {
        name("g", shard, "range", "region", region.project, region.name)
    }

    /// Hash: block, or `all` for the whole series → its unverified messages (debt).
    static func series(_ hash: String, of project: String, _ shard: Shard) -> String {
        name("g", shard, "range", "series", project, hash)
    }

    /// Hash of a day: region of the shard → spent and reserved, in millionths.
    static func spending(_ shard: Shard, day: Int64) -> String { name("g", shard, "spending", String(day)) }

    /// Hash of a day: event, region, series of the shard and gateway → amount.
    static func ledger(_ shard: Shard, _ project: String, day: Int64) -> String {
        name("g", shard, "messages", project, String(day))
    }

    /// Hash: series of the shard → its digits, sealed.
    static func seriesNames(_ shard: Shard, _ project: String) -> String { name("g", shard, "series", project) }

    /// A pattern that matches the names of series of each project. A key ends with the project's id.
    static let anySeriesNames = "dt:{g*}:series:*"

    /// Marks a network whose clients must solve the hard challenge.
    static func challengedNetwork(_ network: NetworkIdentity) -> String {
        name("n", network.shard, "challenged", network.project, network.hash)
    }

    // MARK: Accounts

    static func user(_ account: AccountIdentity) -> String {
        name("u", account.shard, "user", account.project, account.uid)
    }

    static func userPrefix(_ shard: Shard, _ project: String) -> String { name("u", shard, "user", project, "") }

    /// A pattern that matches the key of each account.
    static let anyUser = "dt:{u*}:user:*"

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

    /// The number of uids on the pages of the list. Scripts derive this name from ``users(_:_:)``.
    static func userCount(_ shard: Shard, _ project: String) -> String { users(shard, project) + ":count" }

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
        name("e", email.shard, "known-networks", email.project, email.hash)
    }

    // MARK: App verification

    /// The record of an app's installation on one device.
    static func device(_ device: DeviceIdentity) -> String {
        devicePrefix(device.shard, device.project) + device.hash
    }

    /// Returns a device's key without its hash.
    static func devicePrefix(_ shard: Shard, _ project: String) -> String { name("r", shard, "device", project, "") }

    static func receipt(_ id: PushReceiptID) -> String { "dt:{r\(id.shard.index)}:receipt:\(id.text)" }

    /// Sorted set: receipts of pushes from a network to an app's devices that APNs does not know, or may not know, by
    /// the time until which they count.
    static func unprovenPushes(_ network: NetworkIdentity, bundleID: String) -> String {
        name("n", network.shard, "unproven-pushes", network.project, network.hash, bundleID)
    }

    /// Sorted set: networks to whose devices APNs refused an app's pushes as if the app's settings were wrong, by the
    /// time of the refusal.
    static func doubtfulPushes(_ project: String, bundleID: String) -> String {
        name("dt:{settings}:doubtful-pushes", project, bundleID)
    }

    /// Marks a challenge as solved for as long as its solution could be replayed.
    static func solvedChallenge(_ challenge: ChallengeIdentity) -> String {
        "dt:{c\(challenge.shard.index)}:solved:\(challenge.hash)"
    }

    static func challengeToken(_ token: ChallengeTokenIdentity) -> String {
        "dt:{c\(token.shard.index)}:challenge-token:\(token.hash)"
    }

    /// Marks a Play Integrity token as used by a request.
    static func usedIntegrityToken(_ token: IntegrityTokenIdentity) -> String {
        name("c", token.shard, "used-integrity-token", token.hash)
    }

    /// How many challenges a network requested recently.
    static func challenges(_ network: NetworkIdentity) -> String {
        "dt:{c\(network.shard.index)}:rate:challenge:\(network.project):\(network.hash)"
    }

    /// Hash: bundle id → receipts issued before this time are revoked.
    static func revokedReceipts(_ project: String) -> String { "dt:{settings}:revoked-receipts:\(project)" }

    /// Hash: bundle id → until when APNs is expected to refuse its pushes.
    static func refusedPushes(_ project: String) -> String { "dt:{settings}:refused-pushes:\(project)" }

    /// Hash: decoy of password hashes in use → 1.
    static func passwordDecoys(_ project: String) -> String { "dt:{settings}:password-decoys:\(project)" }

    /// Hash of a day: app, environment and event → count.
    static func pushCounts(_ project: String, day: Int64) -> String { "dt:{settings}:push-counts:\(project):\(day)" }

    // MARK: Settings

    /// Hash: SHA-256 of an admin token's secret → the token's rights.
    static let adminTokens = "dt:{settings}:admin-tokens"

    /// Hash: keyed hash of a test number → the number and its code, sealed.
    static func testNumbers(_ project: String) -> String { "dt:{settings}:test-numbers:\(project)" }

    /// Hash of the operators' changes to a project's configuration, and its version.
    static func configuration(_ project: String) -> String { "dt:{settings}:configuration:\(project)" }

    // MARK: Calls

    /// What a call stored in case it is resent.
    static func executedCall(_ id: String, inSlotOf key: String) -> String { "\(slot(of: key)):executed:\(id)" }

    /// The mark whose confirmation by replicas confirms all earlier writes in its slot.
    static func mark(inSlotOf key: String) -> String { "\(slot(of: key)):mark" }

    /// Returns the name of a key that does not exist, in the slot of a shard's keys.
    static func anyInSlot(_ family: StaticString, _ shard: Shard) -> String { name(family, shard, "none") }

    /// Returns the beginning of a key with its hash tag, `dt:{p17}`. Keys with the same beginning are in one slot of a
    /// Redis Cluster.
    static func slot(of key: String) -> Substring {
        guard let end = key.utf8.firstIndex(of: UInt8(ascii: "}")) else { return key[...] }
        return Substring(key.utf8[...end])
    }

    /// Returns a key without its hash tag.
    static func withoutSlot(_ key: String) -> String { String(key.dropFirst(slot(of: key).count + 1)) }

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

    /// `dt:{p17}:kind:project:…`
    static func name(_ family: StaticString, _ shard: Shard, _ parts: String...) -> String {
        let index = Int64(shard.index)
        return join(tagByteCount: 5 + family.utf8CodeUnitCount + index.decimalByteCount, parts) { name in
            name.append("dt:{")
            name.append(family)
            name.appendDecimal(index)
            name.append("}")
        }
    }

    static func name(_ tag: StaticString, _ parts: String...) -> String {
        join(tagByteCount: tag.utf8CodeUnitCount, parts) { $0.append(tag) }
    }

    /// Builds the name in a single allocation: a request needs more than a dozen names.
    private static func join(
        tagByteCount: Int,
        _ parts: [String],
        writeTag: (inout OutputSpan<UInt8>) -> Void
    ) -> String {
        let byteCount = parts.reduce(tagByteCount) { $0 + 1 + $1.utf8.count }
        return String(unsafeUninitializedCapacity: byteCount) { buffer in
            var name = OutputSpan(buffer: buffer, initializedCount: 0)
            writeTag(&name)
            for var part in parts {
                name.append(UInt8(ascii: ":"))
                part.withUTF8 { name.append(copying: $0) }
            }
            return name.finalize(for: buffer)
        }
    }
}
