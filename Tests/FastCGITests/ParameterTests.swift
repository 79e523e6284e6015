import FastCGI
import Testing

@Suite struct ParameterTests {
    let socket = TemporarySocket()

    private func values(_ request: RequestRecords) throws -> String? {
        let server = try RunningServer(Listener(socket.address)) { request in
            let names: [StaticString] = ["ONE", "TWO", "ONETWO", "FCGI_ROLE", ""]
            let found = names.map { request.parameter($0) ?? "-" }.joined(separator: "|")
            return Response(status: 200, body: Array((request.parametersWithinLimits ? found : "beyond").utf8))
        }
        let client = try FastCGIClient(server.address)
        let first = client.exchange(request)?.text
        #expect(client.exchange(RequestRecords([("ONE", "again")]))?.text == "again|-|-|-|-")
        return first
    }

    @Test("parameters are found only by their exact name")
    func names() throws {
        #expect(try values(RequestRecords([("ONETWO", "3"), ("TWO", "größer=2"), ("ONE", "")])) == "|größer=2|3|-|-")
    }

    @Test("if a name is repeated, the first value counts")
    func duplicates() throws {
        #expect(try values(RequestRecords([("ONE", "first"), ("ONE", "second")])) == "first|-|-|-|-")
    }

    @Test("long values arrive complete")
    func long() throws {
        let long = String(repeating: "x", count: 20_000)
        #expect(try values(RequestRecords([("ONE", long)])) == "\(long)|-|-|-|-")
    }

    @Test("a value that is not UTF-8 counts as absent")
    func notUTF8() throws {
        var request = RequestRecords([("TWO", "2")])
        request.parameters.append((name: "ONE", value: [0xff, 0xfe]))
        #expect(try values(request) == "-|2|-|-|-")
    }

    @Test("up to the limit, all parameters are available, and beyond it none", arguments: [127, 128])
    func count(count: Int) throws {
        let request = RequestRecords((1...count).map { ($0 == 1 ? "ONE" : "P\($0)", "v") })
        // CONTENT_LENGTH is an additional parameter.
        #expect(try values(request) == (count < 128 ? "v|-|-|-|-" : "beyond"))
    }

    @Test("the handler gets no parameters that exceed the byte limit", arguments: [32_750, 32_751])
    func bytes(bytes: Int) throws {
        // The name ONE and CONTENT_LENGTH=0 take 15 more bytes.
        let request = RequestRecords([("ONE", String(repeating: "x", count: bytes))])
        #expect(try values(request) == (bytes == 32_750 ? "\(String(repeating: "x", count: bytes))|-|-|-|-" : "beyond"))
    }
}
