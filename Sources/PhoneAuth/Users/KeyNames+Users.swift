internal import RedisScripts

extension KeyNames {
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

    /// When (ms) a Firebase refresh token began a session.
    static func usedFirebaseToken(_ token: FirebaseTokenIdentity) -> String {
        name("u", token.shard, "used-firebase-token", token.project, token.hash)
    }

    /// Hash: the authorization code of a session and what its client must present, all as hashes; once it is used, the
    /// request that used it.
    static func authorizationCode(_ session: UserSessionIdentity) -> String {
        name("u", session.shard, "authorization-code", session.project, session.hash)
    }
}
