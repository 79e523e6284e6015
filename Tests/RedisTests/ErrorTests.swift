import Redis
import Testing

@Suite struct ErrorTests {
    @Test("an error contains nothing that the server quoted")
    func quotations() {
        let unknown = ServerError(line: "ERR unknown command 'GTE', with args beginning with: 'secret' 'it's' ")
        #expect(unknown.description == "ERR unknown command '…'")
        let group = ServerError(
            line: "NOGROUP No such key 'dt:{p1}:outbox' or consumer group 'x' in XREADGROUP with GROUP option"
        )
        #expect(group.description == "NOGROUP No such key '…' in XREADGROUP with GROUP option")
        #expect(ServerError(line: "ERR Number of keys can't be negative").message == "Number of keys can't be negative")
    }

    @Test(
        "errors are classified by what a caller can do",
        arguments: [
            ("LOADING Redis is loading", .unavailable("LOADING Redis is loading")),
            ("READONLY You can't write", .unavailable("READONLY You can't write")),
            ("MASTERDOWN Link is down", .unavailable("MASTERDOWN Link is down")),
            ("ERR max number of clients reached", .unavailable("ERR max number of clients reached")),
            ("NOAUTH Authentication required.", .refused("NOAUTH Authentication required.")),
            ("OOM command not allowed", .outOfMemory),
            ("WRONGTYPE no", .server(ServerError(line: "WRONGTYPE no"))),
        ] as [(String, RedisError)]
    )
    func sorted(line: String, error: RedisError) {
        #expect(RedisError(ServerError(line: line)) == error)
    }

    @Test(
        "an error that Redis 6.2 finds before a script's first write is classified as one of a command",
        arguments: [
            ("READONLY You can't write", .unavailable("READONLY You can't write")),
            ("NOREPLICAS Not enough good replicas", .unavailable("NOREPLICAS Not enough good replicas")),
            ("MISCONF Errors writing", .unavailable("MISCONF Errors writing")),
            ("OOM command not allowed when used memory > 'maxmemory'.", .outOfMemory),
        ] as [(String, RedisError)]
    )
    func scripts(inner: String, error: RedisError) {
        let prefix = "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: "
        #expect(RedisError(ServerError(line: "\(prefix)-\(inner)  ")) == error)
        // Without the hyphen, an executed command has failed, and earlier ones may have written.
        for other in [inner, "- \(inner)", "-x \(inner)", "-"] {
            #expect(ServerError(line: prefix + other).code == "ERR")
        }
    }

    @Test("printing a configuration does not show its password")
    func password() {
        let configuration = ConnectionConfiguration(
            servers: ServerList(.unix(path: "/run/x")),
            user: "app",
            password: "hush"
        )
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(text.contains("app"))
            #expect(!text.contains("hush"))
        }
    }
}
