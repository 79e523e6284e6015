import Testing

@testable import Redis

@Suite struct CommandTests {
    @Test("arguments are sent with their lengths in bytes")
    func wire() {
        var command = Command("SET", "kéy", -12)
        command.append([0, 13, 10])
        var output = Array("before".utf8)
        command.write(to: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "before*4\r\n$3\r\nSET\r\n$4\r\nkéy\r\n$3\r\n-12\r\n$3\r\n\0\r\n\r\n"
        )
    }

    @Test("a script is identified by the SHA-1 of its source")
    func digest() {
        #expect(Script(name: "abc", source: Array("abc".utf8)).digest == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }
}
