import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The list of a project's accounts, which is divided into pages, in two shards.
@Suite struct AccountListTests {
    private let redis: RedisServer
    private let store: Store
    private let shards: ShardCount

    init() throws {
        redis = try RedisServer.start()
        shards = try #require(ShardCount(2))
        store = Store(TestStore.configuration(redis), shards: shards)
    }

    private func identity(_ uid: String) -> AccountIdentity {
        AccountIdentity(project: "demo", uid: uid, among: shards)
    }

    private func create(_ uids: [String], requestID: String = "r", in store: Store? = nil) throws {
        let creations = uids.map {
            AccountCreation(
                account: identity($0),
                requestID: requestID,
                now: 1_700_000_000_000,
                changes: AccountUpdate(),
                audit: nil
            )
        }
        for start in stride(from: 0, to: uids.count, by: 250) {
            _ = try (store ?? self.store).createAccounts(Array(creations[start..<min(start + 250, uids.count)]))
        }
    }

    private func delete(_ uid: String) throws {
        _ = try store.deleteAccount(identity(uid), requestID: uid, markMilliseconds: 60_000, audit: nil)
    }

    /// Returns all uids, page by page like an export.
    private func listed(_ limit: Int) throws -> [String] {
        var uids: [String] = []
        while true {
            let page = try store.uids(of: "demo", after: uids.last, limit: limit)
            uids += page
            if page.count < limit { return uids }
        }
    }

    private func keys(_ pattern: String) -> [String] {
        redis.cli("--scan", "--pattern", pattern).split(whereSeparator: \.isNewline).map(String.init)
    }

    private static func inOrder(_ uids: some Sequence<String>) -> [String] {
        uids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Checks the list and its counts against the existing accounts.
    private func expect(_ uids: some Collection<String>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let sorted = Self.inOrder(uids)
        #expect(try listed(700) == sorted, sourceLocation: sourceLocation)
        #expect(try listed(41) == sorted, sourceLocation: sourceLocation)
        #expect(try store.accountCount(of: "demo") == Int64(sorted.count), sourceLocation: sourceLocation)
        for shard in shards.shards {
            let own = sorted.filter { identity($0).shard == shard }
            #expect(try store.accounts(of: "demo", in: shard) == own, sourceLocation: sourceLocation)
        }
    }

    /// Distributions of uids.
    enum Uids: String, CaseIterable {
        case random, ascending, descending, nested, long

        func make() -> [String] {
            var generator = SplitMix(seed: 5)
            func random(_ count: Int) -> String {
                String((0..<count).map { _ in "abcXYZ019é".randomElement(using: &generator) ?? "a" })
            }
            return switch self {
            case .random: (0..<700).map { _ in random(28) }
            case .ascending: (1000..<1700).map { "user\($0)" }
            case .descending: (1000..<1700).reversed().map { "user\($0)" }
            // Each uid is a prefix of the next one, and contains the separators of key names.
            case .nested: (1...120).map { String(repeating: ":", count: $0) } + (0..<300).map { ":page:\($0)" }
            // These uids are too long for a listpack, so their pages only take more memory.
            case .long: (0..<400).map { _ in random(100) }
            }
        }
    }

    @Test("accounts are listed in order and counted, however their uids are distributed", arguments: Uids.allCases)
    func distributions(uids: Uids) throws {
        let all = uids.make()
        try create(all)
        try expect(Set(all))
        // Creating existing accounts adds nothing.
        try create(all)
        try expect(Set(all))
        var generator = SplitMix(seed: 6)
        let order = Set(all).sorted().shuffled(using: &generator)
        for uid in order.dropFirst(50) { try delete(uid) }
        try expect(order.prefix(50))
        for uid in order { try delete(uid) }
        try expect([])
        #expect(keys("dt:{u*}:users:*") == [])
        try create(all)
        try expect(Set(all))
    }

    @Test("uids that are canonically equivalent in Unicode belong to two accounts")
    func equivalent() throws {
        let uids = ["e\u{301}", "\u{E9}"]
        try create(uids)
        #expect(try listed(10).map { Array($0.utf8) } == uids.map { Array($0.utf8) })
        #expect(try store.accountCount(of: "demo") == 2)
    }

    @Test("a page is small enough to be a listpack, and ascending uids fill pages")
    func pages() throws {
        let uids = (0..<2000).map { String(String(1_000_000 + $0).dropFirst()) + String(repeating: "x", count: 22) }
        try create(uids)
        let pages = keys("dt:{u*}:users:*:page:*")
        #expect(pages.count <= 2000 / 127 + 2)
        for page in pages {
            #expect(redis.cli("OBJECT", "ENCODING", page) == "listpack")
            let bytes = try #require(Int(redis.cli("MEMORY", "USAGE", page)))
            #expect(bytes < 4096 + 256, "\(page)")
        }
    }

    @Test("a page that is missing because a cluster moves it to another node is not skipped")
    func missingPage() throws {
        try create((1000..<1600).map { "user\($0)" })
        let page = try #require(keys("dt:{u*}:users:*:page:user*").first)
        redis.cli("RENAME", page, "elsewhere")
        #expect(throws: StoreUnavailable.self) { try listed(100) }
        redis.cli("RENAME", "elsewhere", page)
        try expect((1000..<1600).map { "user\($0)" })
    }

    @Test("while a cluster moves pages to another node, reads of the list wait for them, and nothing is lost")
    func movedPages() async throws {
        let cluster = try await RedisCluster.start()
        let configuration = ConnectionConfiguration(
            servers: try RedisAddress("redis+cluster://\(cluster.list)").servers,
            connectTimeout: .seconds(10),
            commandTimeout: .seconds(4),
            firstRetryDelay: .milliseconds(1),
            maxRetryDelay: .milliseconds(1)
        )
        let store = Store(configuration, shards: shards)
        let shard = shards.shards[0]
        let users = KeyNames.users(shard, "demo")
        let (slot, source) = (cluster.slot(ofKey: users), cluster.masters[cluster.index(ofKey: users)])
        let target = cluster.masters[cluster.index(ofKey: users) == 0 ? 1 : 0]
        let uids = (1000...).lazy.map { "user\($0)" }.filter { identity($0).shard == shard }.prefix(300)
        try create(Array(uids), in: store)
        // Without the first page, a uid before all others needs a new page.
        let first = source.cli("ZRANGE", users + ":page:", "0", "-1").split(separator: "\n").map(String.init)
        for uid in first {
            _ = try store.deleteAccount(identity(uid), requestID: uid, markMilliseconds: 1, audit: nil)
        }
        let left = Array(uids.dropFirst(first.count))
        #expect(try store.accounts(of: "demo", in: shard) == left)
        cluster.beginMove(slot, from: source, to: target)
        #expect(try store.accounts(of: "demo", in: shard) == left)
        let page = try #require(source.cli("--scan", "--pattern", users + ":page:*").split(separator: "\n").first)
        cluster.moveKey(String(page), from: source, to: target)
        let failure = #expect(throws: StoreUnavailable.self) { try store.accounts(of: "demo", in: shard) }
        #expect(failure?.description.contains("the keys are being moved") == true)
        cluster.finishMove(slot, from: source, to: target)
        #expect(try store.accounts(of: "demo", in: shard) == left)
        #expect(try store.accountCount(of: "demo") == Int64(left.count))
    }
}
