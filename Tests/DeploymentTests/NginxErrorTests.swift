import Testing

@Suite("nginx's own errors") struct NginxErrorTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let request: String
        let status: Int
        let message: String
        var testDescription: String { name }

        init(_ name: String, _ request: String, _ status: Int, _ message: String) {
            (self.name, self.request, self.status, self.message) = (name, request, status, message)
        }
    }

    private static let end = "Host: x\r\nConnection: close\r\n"
    private static let malformed = "The request is malformed."
    private static let tooLarge = "The request body is too large."
    private static let headersTooLarge = "The request has too many or too large headers."
    private static let long = String(repeating: "a", count: 9000)

    static let cases = [
        Case("bytes that are not HTTP", "\u{16}\u{3}\u{1}\r\n\r\n", 400, malformed),
        Case("no Host", "GET / HTTP/1.1\r\n\r\n", 400, malformed),
        Case("a path above the root", "GET /../.. HTTP/1.1\r\n\(end)\r\n", 400, malformed),
        Case(
            "a length beside chunks",
            "POST /v1/token HTTP/1.1\r\n\(end)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            malformed
        ),
        Case(
            "a method that no path has",
            "TRACE / HTTP/1.1\r\n\(end)\r\n",
            405,
            "The method is not allowed on this path."
        ),
        Case(
            "an announced body",
            "POST /v1/token HTTP/1.1\r\n\(end)Content-Length: 65537\r\n\r\n",
            413,
            tooLarge
        ),
        Case(
            "a body in chunks",
            "POST /v1/token HTTP/1.1\r\n\(end)Transfer-Encoding: chunked\r\n\r\n10001\r\n"
                + String(repeating: "a", count: 65_537) + "\r\n0\r\n\r\n",
            413,
            tooLarge
        ),
        Case("a long URL", "GET /?\(long) HTTP/1.1\r\n\(end)\r\n", 414, "The request's URL is too long."),
        Case("a long header", "GET / HTTP/1.1\r\n\(end)X: \(long)\r\n\r\n", 431, headersTooLarge),
        Case(
            "many headers",
            "GET / HTTP/1.1\r\n\(end)" + String(repeating: "X: \(long.prefix(4000))\r\n", count: 12) + "\r\n",
            431,
            headersTooLarge
        ),
        Case(
            "a page that is nginx's alone",
            "GET /.dialtone-failure HTTP/1.1\r\n\(end)\r\n",
            404,
            "Not Found"
        ),
        Case(
            "no worker, with a body",
            "POST /v1/token HTTP/1.1\r\n\(end)Content-Length: 2\r\n\r\n{}",
            503,
            "The service is currently unavailable."
        ),
    ]

    @Test("have the protocol's envelope and CORS headers", arguments: cases)
    func envelope(_ error: Case) throws {
        let nginx = try Nginx()
        let answer = try #require(HTTP.send(raw: error.request, to: nginx.plainPort))
        #expect(answer.status == error.status)
        #expect(answer.body.hasPrefix(#"{"error":{"code":\#(error.status),"message":"\#(error.message)","errors":[{"#))
        #expect(answer.all("content-type") == ["application/json; charset=UTF-8"])
        #expect(answer.all("access-control-allow-origin") == ["*"])
        #expect(answer.all("cache-control") == ["no-store"])
        #expect(answer.all("x-content-type-options") == ["nosniff"])
        #expect(answer.all("referrer-policy") == ["no-referrer"])
        #expect(answer.all("x-request-id").map(\.count) == [32])
        #expect(answer.all("retry-after") == (error.status == 503 ? ["1"] : []))
        #expect(answer.all("server") == ["nginx"], "no version")
    }
}
