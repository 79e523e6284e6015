import Encodings
import Testing

@testable import PhoneAuth

/// Changes of the key file, with a test clock.
@Suite struct KeyFileRotationTests {
    private let clock = SettableEnvironment(seed: 1)
    private let file = TestKeys.file()

    private func states(_ text: [UInt8]) throws -> [String: SigningKeyState] {
        let states = try KeyFile.parse(text).signingKeys.current.states(at: clock.now)
        return Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.state) })
    }

    private func rotate(_ text: [UInt8], to id: String, after seconds: Int = 3960) throws(RotationRefusal) -> (
        text: [UInt8], signsFrom: Instant
    ) {
        try KeyFile.rotate(text, to: TestKeys.new(id), after: .seconds(seconds), at: clock.now)
    }

    private func retire(_ id: String?, from text: [UInt8], force: Bool = false) throws(RetirementRefusal) -> (
        text: [UInt8], removed: [String]
    )? {
        try KeyFile.retire(id, from: text, force: force, at: clock.now)
    }

    @Test("a new key waits and then signs, while the old one only verifies and is finally retired")
    func life() throws {
        let rotated = try rotate(file, to: "key-2")
        // The clock shows a quarter of a second, and the start of a key is rounded up.
        #expect(rotated.signsFrom - clock.now == .milliseconds(3960_750))
        let began = Instant(milliseconds: 1_700_000_000_000)
        #expect(
            try states(rotated.text) == [
                "key-1": .signing(since: began), "key-2": .next(signsFrom: rotated.signsFrom),
            ]
        )
        clock.advance(by: .milliseconds(3960_749))
        #expect(try states(rotated.text)["key-2"] == .next(signsFrom: rotated.signsFrom))
        clock.advance(by: .milliseconds(1))
        let end = rotated.signsFrom + SigningKeys.memory
        #expect(
            try states(rotated.text) == [
                "key-1": .verifying(until: end), "key-2": .signing(since: rotated.signsFrom),
            ]
        )
        #expect(throws: RetirementRefusal.keyNeeded(until: end)) { try retire("key-1", from: rotated.text) }
        #expect(try retire(nil, from: rotated.text) == nil)
        clock.advance(by: SigningKeys.memory)
        #expect(try states(rotated.text)["key-1"] == .retirable(since: end))
        let retired = try #require(try retire(nil, from: rotated.text))
        #expect(retired.removed == ["key-1"])
        #expect(try states(retired.text) == ["key-2": .signing(since: rotated.signsFrom)])
        #expect(!String(decoding: retired.text, as: UTF8.self).contains("key-1"))
    }

    @Test("a second key waits until the first one signs, unless it signs immediately")
    func second() throws {
        let rotated = try rotate(file, to: "key-2")
        let refusal = RotationRefusal.nextKeyWaits(id: "key-2", signsFrom: rotated.signsFrom)
        #expect(throws: refusal) { try rotate(rotated.text, to: "key-3") }
        let atOnce = try rotate(rotated.text, to: "key-3", after: 0)
        #expect(atOnce.signsFrom <= clock.now)
        #expect(try KeyFile.parse(atOnce.text).signingKey(at: clock.now).id == "key-3")
        clock.advance(by: .seconds(3961))
        #expect(try KeyFile.parse(atOnce.text).signingKey(at: clock.now).id == "key-2")
        #expect(try states(rotate(atOnce.text, to: "key-4").text).count == 4)
    }

    @Test("a key that may be in use is removed only by force, and the signing key never")
    func refusals() throws {
        let rotated = try rotate(file, to: "key-2")
        #expect(throws: RetirementRefusal.keyUnknown) { try retire("key-3", from: file) }
        for force in [false, true] {
            #expect(throws: RetirementRefusal.keySigns) { try retire("key-1", from: rotated.text, force: force) }
        }
        #expect(throws: RetirementRefusal.keyWaits(signsFrom: rotated.signsFrom)) {
            try retire("key-2", from: rotated.text)
        }
        let withoutNext = try #require(try retire("key-2", from: rotated.text, force: true))
        #expect(try states(withoutNext.text) == states(file))
        clock.advance(by: .seconds(3961))
        let withoutOld = try #require(try retire("key-1", from: rotated.text, force: true))
        #expect(try states(withoutOld.text).keys.sorted() == ["key-2"])
    }

    @Test("the rest of the file is unchanged, whatever it contains")
    func restStays() throws {
        let own = String(decoding: file, as: UTF8.self).dropLast()
        let text = Array((own + #","note":{"of":["an operator",1.50]}}"#).utf8)
        let rotated = try rotate(text, to: "key-2").text
        clock.advance(by: SigningKeys.memory + .seconds(3961))
        let retired = try #require(try retire("key-1", from: rotated)).text
        guard case .object(let before) = try JSONValue.parse(text),
            case .object(let after) = try JSONValue.parse(retired)
        else {
            Issue.record("no object")
            return
        }
        for name in ["version", "serverKey", "indexKeys", "dataKeys", "note"] { #expect(before[name] == after[name]) }
        #expect(after.members.count == 6)
    }

    @Test("a file whose only key has no start time can be rotated")
    func withoutTime() throws {
        let text = String(decoding: file, as: UTF8.self).split(separator: #","signsFrom":1700000000"#).joined()
        #expect(text.utf8.count < file.count)
        let rotated = try rotate(Array(text.utf8), to: "key-2")
        #expect(
            try states(rotated.text) == ["key-1": .signing(since: nil), "key-2": .next(signsFrom: rotated.signsFrom)]
        )
    }

    @Test("a key with a used id, a short key and a malformed file are rejected")
    func broken() {
        #expect(throws: RotationRefusal.file(KeyFileError(description: "signingKeys: an id is repeated"))) {
            try rotate(file, to: "key-1")
        }
        let short = TestKeys.new("key-2", privateKey: TestKeys.shortPrivateKey)
        #expect(throws: RotationRefusal.self) { try KeyFile.rotate(file, to: short, after: .seconds(9), at: clock.now) }
        let noObject = KeyFileError(description: "the key file is not a JSON object")
        let half = Array(file.prefix(file.count / 2))
        #expect(throws: RotationRefusal.file(noObject)) { try rotate(half, to: "key-2") }
        #expect(throws: RetirementRefusal.file(noObject)) { try retire(nil, from: half) }
    }

    @Test("a file's new signing keys are loaded, but not those of another deployment")
    func adopt() throws {
        let keys = try KeyFile.parse(file)
        let copy = keys
        let rotated = try KeyFile.parse(rotate(file, to: "key-2").text)
        #expect(try keys.adopt(rotated, at: clock.now))
        #expect(try !keys.adopt(rotated, at: clock.now), "the second time nothing changes")
        #expect(copy.signingKeys.current.published.map(\.id) == ["key-1", "key-2"])
        #expect(throws: KeyFileError.self) { try keys.adopt(TestKeys.make(seed: 2), at: clock.now) }
        #expect(keys.signingKey("key-2") != nil)
    }
}

extension PhoneAuthTests {
    /// The validity of tokens.
    @Suite struct RetiredKeyTests {
        @Test("tokens of a rotated key are valid, and those of a retired key are rejected")
        func tokens() throws {
            let deployment = try Deployment()
            let (authenticator, project) = (deployment.authenticator(), deployment.project)
            let first = try authenticator.in(project).signIn("+16505550170")
            let rotated = try KeyFile.rotate(
                TestKeys.file(),
                to: TestKeys.new("key-2"),
                after: .seconds(60),
                at: deployment.clock.now
            )
            #expect(try deployment.keys.adopt(KeyFile.parse(rotated.text), at: deployment.clock.now))
            #expect(authenticator.publishedKeys.map(\.id) == ["key-1", "key-2"])
            let second = try authenticator.in(project).exchangeRefreshToken(first.refreshToken)
            #expect(try Claims(second.idToken).header["kid"] == .string("key-1"))
            deployment.clock.advance(by: .seconds(61))
            let third = try authenticator.in(project).exchangeRefreshToken(first.refreshToken)
            #expect(try Claims(third.idToken).header["kid"] == .string("key-2"))
            for token in [first.idToken, second.idToken, third.idToken] {
                #expect(authenticator.in(project).look(up: token) == .found(uid: first.uid))
            }
            let retired = try KeyFile.retire("key-1", from: rotated.text, force: true, at: deployment.clock.now)
            let text = try #require(retired?.text)
            #expect(try deployment.keys.adopt(KeyFile.parse(text), at: deployment.clock.now))
            #expect(authenticator.in(project).look(up: first.idToken) == .invalid)
            #expect(authenticator.in(project).look(up: second.idToken) == .invalid)
            #expect(authenticator.in(project).look(up: third.idToken) == .found(uid: first.uid))
        }
    }
}
