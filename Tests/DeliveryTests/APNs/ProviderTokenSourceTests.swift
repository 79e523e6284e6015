import Encodings
import PhoneAuth
import Testing

@testable import Delivery

@Suite struct ProviderTokenSourceTests {
    private let key = TestKey()
    private let start = SettableClock.start

    @Test("a provider token has key id, team id and issue time, and is signed with the key")
    func contents() throws {
        let token = try key.providerTokenKey().token(at: start)
        let (header, claims) = try #require(key.verified(token.encoded))
        #expect(header == .object(JSONObject(members: [("alg", .string("ES256")), ("kid", .string(TestKey.keyID))])))
        #expect(
            claims
                == .object(JSONObject(members: [("iss", .string(TestKey.teamID)), ("iat", .number("1790000000"))]))
        )
        #expect(TestKey().verified(token.encoded) == nil)
    }

    @Test("a provider token is reused until it is 40 minutes old")
    func ordinaryRenewal() throws {
        let source = try makeSource()
        let first = try source.token(at: start)
        for minutes in [0, 1, 19, 20, 39] {
            #expect(try source.token(at: start + .seconds(60 * minutes)) == first)
        }
        let second = try source.token(at: start + .seconds(60 * 40))
        #expect(second != first)
        #expect(second.issuedAt == start + .seconds(60 * 40))
        #expect(try source.token(at: start + .seconds(60 * 79)) == second)
    }

    @Test("a provider token that APNs reports as expired is replaced once in 20 minutes")
    func replacement() throws {
        let source = try makeSource()
        let first = try source.token(at: start)
        let second = try #require(try source.replacement(for: first, at: start + .seconds(1)))
        #expect(second.issuedAt == start + .seconds(1))
        #expect(try source.token(at: start + .seconds(2)) == second)
        for seconds in [2, 60, 20 * 60] {
            #expect(try source.replacement(for: second, at: start + .seconds(seconds)) == nil)
        }
        let third = try #require(try source.replacement(for: second, at: start + .seconds(20 * 60 + 1)))
        #expect(third != second)
    }

    @Test("late rejections of a replaced token get the current token")
    func lateRefusals() throws {
        let source = try makeSource()
        let first = try source.token(at: start)
        let second = try #require(try source.replacement(for: first, at: start + .seconds(1)))
        for _ in 0..<10 { #expect(try source.replacement(for: first, at: start + .seconds(2)) == second) }
    }

    @Test("concurrent rejections of one token cause one renewal")
    func concurrentRefusals() async throws {
        let source = try makeSource()
        let first = try source.token(at: start)
        let later = start + .seconds(1)
        let replacements = await withTaskGroup(of: ProviderToken?.self) { group in
            for _ in 0..<100 { group.addTask { try? source.replacement(for: first, at: later) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replacements.count == 100)
        #expect(Set(replacements.map { $0?.encoded }).count == 1)
        #expect(replacements.allSatisfy { $0 != nil && $0 != first })
    }

    @Test("after the clock is set back, a token from the future is replaced, and renewals continue")
    func clockSetBack() throws {
        let source = try makeSource()
        let future = try source.token(at: start + .seconds(86_400))
        let replaced = try #require(try source.replacement(for: future, at: start + .seconds(86_400)))
        #expect(try source.token(at: start + .seconds(86_399)) == replaced)
        let present = try source.token(at: start)
        #expect(present.issuedAt == start)
        #expect(try source.replacement(for: present, at: start) != nil)
    }

    private func makeSource() throws -> ProviderTokenSource {
        ProviderTokenSource(key: try key.providerTokenKey())
    }
}
