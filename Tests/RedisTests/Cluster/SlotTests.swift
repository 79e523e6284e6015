import Testing

@testable import Redis

/// Slots of keys and commands, without a server.
@Suite struct SlotTests {
    @Test("the checksum is that of the Redis Cluster specification")
    func checksum() {
        #expect(CRC16.checksum(of: "123456789".utf8) == 0x31C3)
        #expect(CRC16.checksum(of: "".utf8) == 0)
    }

    @Test(
        "a key's slot is that of its hash tag, if it has one",
        arguments: [
            ("foo", "foo"), ("{user1000}.following", "user1000"), ("dt:{p17}:sess:x", "p17"),
            // An empty tag does not count, and only the first tag counts.
            ("foo{}{bar}", "foo{}{bar}"), ("foo{{bar}}zap", "{bar"), ("foo{bar}{zap}", "bar"), ("foo{bar", "foo{bar"),
            ("}a{b}", "b"), ("", ""),
        ]
    )
    func tags(key: String, hashed: String) {
        #expect(Slot(ofKey: key.utf8).number == CRC16.checksum(of: hashed.utf8) % 16_384)
    }

    @Test("known keys have the slots that Redis computes")
    func known() {
        #expect(Slot(ofKey: "foo".utf8).number == 12_182)
        #expect(Slot(ofKey: "bar".utf8).number == 5061)
        #expect(Slot(ofKey: "hello".utf8).number == 866)
    }

    @Test("the slot of a command is that of its first key")
    func commands() {
        let foo = Slot(ofKey: "foo".utf8)
        let script = Script(name: "x", source: [])
        #expect(Command("GET", "foo").slot == foo)
        #expect(Command("MGET", "foo", "bar").slot == foo)
        #expect(Command("XGROUP", "CREATE", "foo", "group", "0").slot == foo)
        #expect(Command("XINFO", "CONSUMERS", "foo", "group").slot == foo)
        #expect(Command("XREADGROUP", "GROUP", "g", "c", "COUNT", "1", "STREAMS", "foo", ">").slot == foo)
        #expect(Command(script, keys: ["key": "foo", "other": "bar"], arguments: ["a": 1]).slot == foo)
        #expect(Command(script, keys: [:], arguments: ["a": "foo"]).slot == nil)
        for command in [
            Command("PING"), Command("TIME"), Command("INFO", "memory"), Command("SCRIPT", "LOAD", "return"),
            Command("SCAN", "0", "MATCH", "x"), Command("WAIT", 1, 1), Command("CLIENT", "ID"), Command("GET"),
        ] { #expect(command.slot == nil) }
    }
}
