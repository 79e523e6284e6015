internal import Encodings

/// Every key that Dialtone has in Redis. Nothing else in the code knows a key's name.
///
/// `pN` is a shard of phone numbers, `eN` one of e-mail addresses, `uN` one of accounts, `rN` one of devices and their push receipts, `cN` one of
/// challenges, `nN` one of client networks, `dN` one of decisions; the braces make a Redis Cluster keep a shard in one slot.
enum KeyNames {
    /// The shard count with which the deployment was created.
    static let deploymentShards = "dt:{settings}:shards"

    static func session(_ id: SessionID) -> String { name("p", id.shard, "sess", id.text) }

    /// A session's key without its id.
    static func sessionPrefix(_ shard: Shard) -> String { name("p", shard, "sess", "") }

    /// A pattern that the key of each session matches.
    static let anySession = "dt:{p*}:sess:*"

    /// The session whose key this is.
    static func sessionID(ofKey key: String) -> SessionID? {
        let parts = key.split(separator: ":")
        guard parts.count == 4, let shard = UInt16(parts[1].dropFirst(2).dropLast()) else { return nil }
        return SessionID(shard: Shard(index: shard), text: Array(parts[3].utf8))
    }

    /// Reentrancy lock → session id.
    static func lock(_ phone: PhoneIdentity, binding: String) -> String {
        name("p", phone.shard, "lock", phone.project, phone.hash, binding)
    }

    /// The session that is open for a number and client → session id; outlives the lock.
    static func open(_ phone: PhoneIdentity, binding: String) -> String {
        name("p", phone.shard, "open", phone.project, phone.hash, binding)
    }

    /// What a limit counts sends in. Where each send is remembered, one key serves all windows; where buckets are counted,
    /// each window has its own.
    static func sends(_ limit: SendLimit) -> String {
        switch limit.counter {
        case .number(let phone): name("p", phone.shard, "rate:send", phone.project, phone.hash)
        case .network(let network):
            name("n", network.identity.shard, "rate:send", network.identity.project, network.identity.hash)
        case .device(let device): name("r", device.shard, "rate:send", device.project, device.hash)
        case .pushReceipt(let id): name("r", id.shard, "rate:send", id.text)
        case .project(let id): name(sharedSends, String(limit.windowMilliseconds), id)
        case .deployment: name(sharedSends, String(limit.windowMilliseconds))
        }
    }

    private static let sharedSends: StaticString = "dt:{limits}:rate:send"

    /// What a limit counts in that is asked before work is done.
    static func admissions(_ limit: AdmissionLimit) -> String {
        switch limit.counter {
        case .signUpsOfNetwork(let network): name("rate:sign-up", of: network.identity)
        case .passwordHashesOfNetwork(let network): name("rate:password-hash", of: network.identity)
        case .newAccountsOfNetwork(let network): name("rate:new-account", of: network.identity)
        case .signUpsOfProject(let id): name("dt:{limits}:rate:sign-up", String(limit.windowMilliseconds), id)
        case .customTokenSignUpsOfUser(let user): name("u", user.shard, "rate:sign-up", user.project, user.uid)
        case .customTokenSignUpsOfProject(let id):
            name("dt:{limits}:rate:custom-token-sign-up", String(limit.windowMilliseconds), id)
        }
    }

    private static func name(_ kind: String, of network: NetworkIdentity) -> String {
        name("n", network.shard, kind, network.project, network.hash)
    }

    /// Wrong codes for this number since the last right one. Those for it as a test number are apart.
    static func wrongCodes(_ phone: PhoneIdentity, isTestNumber: Bool) -> String {
        name("p", phone.shard, isTestNumber ? "wrong-test-codes" : "wrong-codes", phone.project, phone.hash)
    }

    /// Sorted set: clients that gave this number's right code, by the time when they last did.
    static func knownClients(_ phone: PhoneIdentity, isTestNumber: Bool) -> String {
        name("p", phone.shard, isTestNumber ? "known-test-clients" : "known-clients", phone.project, phone.hash)
    }

    /// → claim and uid.
    static func identifier<Subject: IdentifierSubject>(_ identifier: HashedIdentity<Subject>) -> String {
        let family: StaticString =
            switch Subject.kind {
            case .phone: "p"
            case .email: "e"
            }
        return name(family, identifier.shard, Subject.kind.rawValue, identifier.project, identifier.hash)
    }

    /// A pattern that the key of each identifier of a kind matches. A key ends with the identifier's hash.
    static func anyIdentifier(_ kind: IdentifierKind) -> String {
        switch kind {
        case .phone: "dt:{p*}:phone:*"
        case .email: "dt:{e*}:email:*"
        }
    }

    /// What limits count for an identifier over all clients, in the same order for each identifier.
    static func counters<Subject: IdentifierSubject>(of identifier: HashedIdentity<Subject>) -> [String] {
        let (project, hash, shard) = (identifier.project, identifier.hash, identifier.shard)
        switch Subject.kind {
        case .phone:
            let phone = PhoneIdentity(project: project, hash: hash, shard: shard)
            return [
                sends(SendLimit(.number(phone), windowMilliseconds: 1, maximum: 1)),
                wrongCodes(phone, isTestNumber: false), wrongCodes(phone, isTestNumber: true),
            ]
        case .email: return [wrongPasswords(EmailIdentity(project: project, hash: hash, shard: shard))]
        }
    }

    /// Marks a temporary proof as used, by a request.
    static func usedProof(_ id: TemporaryProofID) -> String { name("p", id.shard, "used-proof", id.text) }

    // MARK: Outboxes

    /// Stream of what is to be sent.
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

    /// The shard whose outbox this is.
    static func shard(ofOutbox key: String) -> Shard? {
        guard let end = key.firstIndex(of: "}"), key.hasPrefix("dt:{"), key.hasSuffix("}:outbox") else { return nil }
        return UInt16(key[..<end].dropFirst(5)).map { Shard(index: $0) }
    }

    /// What became of a message.
    static func message(_ id: QueuedMessageID) -> String { name("p", id.shard, "message", id.entryID) }

    /// Sorted set: messages by the time when their delivery receipts are due.
    static func dueReceipts(_ shard: Shard) -> String { name("p", shard, "due-receipts") }

    /// Stream of messages that no gateway took.
    static func deadLetters(_ shard: Shard) -> String { name("p", shard, "dead-letters") }

    /// Stream of what was decided about requests.
    static func decisions(_ shard: Shard) -> String { name("d", shard, "decisions") }

    /// Hash of a day: gateway and what was counted → how often.
    static func messageCounts(_ project: String, day: Int64) -> String {
        "dt:{settings}:message-counts:\(project):\(day)"
    }

    // MARK: Toll fraud

    /// What a range of a project's numbers owes.
    static func range(_ kind: RangeKind, _ project: String, _ name: String) -> String {
        self.name("dt:{ranges}:range", kind.rawValue, project, name)
    }

    /// Hash of a day: region → what was spent and is reserved, in millionths.
    static func spending(day: Int64) -> String { "dt:{ledger}:spending:\(day)" }

    /// Hash of a day: what was counted, region, series and gateway → how much.
    static func ledger(_ project: String, day: Int64) -> String { name("dt:{ledger}:messages", project, String(day)) }

    /// Hash: series → its digits, sealed.
    static func seriesNames(_ project: String) -> String { "dt:{ledger}:series:\(project)" }

    /// Marks a network whose clients must solve the hard challenge.
    static func challengedNetwork(_ network: NetworkIdentity) -> String {
        name("n", network.shard, "challenged", network.project, network.hash)
    }

    // MARK: Accounts

    static func user(_ account: AccountIdentity) -> String {
        name("u", account.shard, "user", account.project, account.uid)
    }

    static func userPrefix(_ shard: Shard, _ project: String) -> String { name("u", shard, "user", project, "") }

    /// A pattern that the key of each account matches.
    static let anyUser = "dt:{u*}:user:*"

    /// The account whose key this is.
    static func account(ofKey key: String, among shards: ShardCount) -> AccountIdentity? {
        // The uid comes last and may hold colons.
        let parts = key.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[2] == "user" else { return nil }
        let account = AccountIdentity(project: String(parts[3]), uid: String(parts[4]), among: shards)
        return user(account) == key ? account : nil
    }

    /// Sorted set of all uids of a project in a shard, in their lexical order.
    static func users(_ shard: Shard, _ project: String) -> String { name("u", shard, "users", project) }

    /// Sorted set of a project's anonymous accounts in a shard, by the time when they were last known to be used.
    /// Scripts make its name of that of ``users(_:_:)``.
    static func anonymousUsers(_ shard: Shard, _ project: String) -> String { users(shard, project) + ":anonymous" }

    /// Marks an account as deleted, by a request, while a sign-in may still be on its way to it.
    static func deletedUser(_ account: AccountIdentity) -> String {
        name("u", account.shard, "deleted", account.project, account.uid)
    }

    /// Sorted set: ids of an account's sessions by the time of their last use.
    static func userSessions(_ account: AccountIdentity) -> String {
        name("u", account.shard, "refreshes", account.project, account.uid)
    }

    static func userSessionsPrefix(_ shard: Shard, _ project: String) -> String {
        name("u", shard, "refreshes", project, "")
    }

    /// A session with its refresh token. Both keys have their names from the version in which a refresh token was all
    /// of a session.
    static func userSession(_ session: UserSessionIdentity) -> String {
        name("u", session.shard, "refresh", session.project, session.hash)
    }

    static func userSession(_ account: AccountIdentity, _ id: String) -> String {
        name("u", account.shard, "refresh", account.project, id)
    }

    static func userSessionPrefix(_ shard: Shard, _ project: String) -> String {
        name("u", shard, "refresh", project, "")
    }

    /// Stream of what happened to a shard's accounts.
    static func audit(_ shard: Shard) -> String { name("u", shard, "audit") }

    /// Stream of those events that must not evict others. Scripts make its name of that of ``audit(_:)``.
    static func auditOverflow(_ shard: Shard) -> String { audit(shard) + "-overflow" }

    /// Wrong passwords for an e-mail address, for the sliding window.
    static func wrongPasswords(_ email: EmailIdentity) -> String {
        name("e", email.shard, "wrong-passwords", email.project, email.hash)
    }

    /// Hash: networks from which the user of an e-mail address signed in.
    static func knownNetworks(_ email: EmailIdentity) -> String {
        name("e", email.shard, "known-networks", email.project, email.hash)
    }

    /// Those that one network gave.
    static func wrongPasswords(_ email: EmailIdentity, by network: NetworkIdentity) -> String {
        name("e", email.shard, "wrong-passwords", email.project, email.hash, network.hash)
    }

    /// Those that a network gave for any address.
    static func wrongPasswords(by network: NetworkIdentity) -> String {
        name("n", network.shard, "wrong-passwords", network.project, network.hash)
    }

    // MARK: App verification

    /// What is known of an app's installation on one device.
    static func device(_ device: DeviceIdentity) -> String {
        devicePrefix(device.shard, device.project) + device.hash
    }

    /// A device's key without its hash.
    static func devicePrefix(_ shard: Shard, _ project: String) -> String { name("r", shard, "device", project, "") }

    /// When pushes to a device were queued, for the sliding window.
    static func pushes(_ device: DeviceIdentity) -> String {
        "dt:{r\(device.shard.index)}:rate:push:\(device.project):\(device.hash)"
    }

    static func receipt(_ id: PushReceiptID) -> String { "dt:{r\(id.shard.index)}:receipt:\(id.text)" }

    /// When pushes to a network's devices were queued, for the sliding window.
    static func pushes(_ network: NetworkIdentity) -> String {
        name("n", network.shard, "rate:push", network.project, network.hash)
    }

    /// Sorted set: receipts of pushes from a network to an app's devices that APNs does not know, or may not know, by
    /// the time until which they count.
    static func unprovenPushes(_ network: NetworkIdentity, bundleID: String) -> String {
        name("n", network.shard, "unproven-pushes", network.project, network.hash, bundleID)
    }

    /// Sorted set: networks whose devices' pushes APNs refused for an app as if its settings were wrong, by the time
    /// when it did.
    static func doubtfulPushes(_ project: String, bundleID: String) -> String {
        name("dt:{settings}:doubtful-pushes", project, bundleID)
    }

    /// Marks a challenge as solved while it could be handed in again.
    static func solvedChallenge(_ challenge: ChallengeIdentity) -> String {
        "dt:{c\(challenge.shard.index)}:solved:\(challenge.hash)"
    }

    static func challengeToken(_ token: ChallengeTokenIdentity) -> String {
        "dt:{c\(token.shard.index)}:challenge-token:\(token.hash)"
    }

    /// How many challenges a network was given of late.
    static func challenges(_ network: NetworkIdentity) -> String {
        "dt:{c\(network.shard.index)}:rate:challenge:\(network.project):\(network.hash)"
    }

    /// When a challenge's provider was asked about a network's tokens, for the sliding window.
    static func providerChecks(_ network: NetworkIdentity) -> String {
        name("n", network.shard, "rate:provider-check", network.project, network.hash)
    }

    /// Hash: bundle id → receipts issued before this time are revoked.
    static func revokedReceipts(_ project: String) -> String { "dt:{settings}:revoked-receipts:\(project)" }

    /// Hash: bundle id → until when APNs is expected to refuse its pushes.
    static func refusedPushes(_ project: String) -> String { "dt:{settings}:refused-pushes:\(project)" }

    /// Hash of a day: app, environment and what was counted → how often.
    static func pushCounts(_ project: String, day: Int64) -> String { "dt:{settings}:push-counts:\(project):\(day)" }

    // MARK: Settings

    /// Which index key is in force, or between which two claims are being moved. Absent: the first.
    static let indexKeyState = "dt:{settings}:index-key"

    /// Held by the command that moves claims from one index key to another.
    static let indexKeyMove = "dt:{settings}:index-key-move"

    /// Hash: SHA-256 of an admin token's secret → what the token may do.
    static let adminTokens = "dt:{settings}:admin-tokens"

    /// Hash: keyed hash of a fictional number → the number and its code, sealed.
    static func testNumbers(_ project: String) -> String { "dt:{settings}:test-numbers:\(project)" }

    /// Hash of what operators changed of a project, and its version.
    static func configuration(_ project: String) -> String { "dt:{settings}:configuration:\(project)" }

    // MARK: Calls

    /// What a call left for its second try.
    static func executedCall(_ id: String, inSlotOf key: String) -> String { tag(of: key) + ":executed:" + id }

    /// What the second try of a confirmed call writes.
    static func secondTry(inSlotOf key: String) -> String { tag(of: key) + ":second-try" }

    /// `dt:{p17}`
    private static func tag(of key: String) -> String { key.prefix { $0 != "}" } + "}" }

    /// `dt:{p17}:kind:project:…`
    private static func name(_ family: StaticString, _ shard: Shard, _ parts: String...) -> String {
        let index = Int64(shard.index)
        return join(tagByteCount: 5 + family.utf8CodeUnitCount + index.decimalByteCount, parts) { name in
            name.append("dt:{")
            name.append(family)
            name.appendDecimal(index)
            name.append("}")
        }
    }

    private static func name(_ tag: StaticString, _ parts: String...) -> String {
        join(tagByteCount: tag.utf8CodeUnitCount, parts) { $0.append(tag) }
    }

    /// Made in one piece of memory: a request needs more than a dozen names.
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
