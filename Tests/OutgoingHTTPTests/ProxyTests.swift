import APNsStandIn
import GatewayStandIn
import OutgoingHTTP
import Synchronization
import TestServers
import Testing

@Suite struct ProxyTests {
    /// Starts a proxy that opens the requested tunnels and records the requests' heads.
    private func proxy(_ heads: HeadList, credentials: String? = nil) throws -> RawServer {
        try RawServer { connection in
            guard let head = connection.readRequest() else { return }
            heads.add(head)
            if let credentials, !head.contains("Proxy-Authorization: Basic \(credentials)\r\n") {
                connection.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                return
            }
            let port = head.split(separator: " ")[1].split(separator: ":").last.flatMap { UInt16($0) }
            connection.write("HTTP/1.1 200 Connection established\r\nRetry-After: 7\r\n\r\n")
            if let port { connection.tunnel(to: port) }
        }
    }

    private func client(
        _ authority: TestAuthority,
        _ proxy: RawServer,
        _ credentials: HTTPProxy.Credentials? = nil,
        _ version: HTTPClientConfiguration.Version = .http1
    ) throws -> BoundedHTTPClient {
        var configuration = try HTTPClientConfiguration(trusting: .certificates(pem: authority.certificatePEM))
        configuration.version = version
        let configured: HTTPProxy = try #require(HTTPProxy("http://127.0.0.1:\(proxy.port)", credentials: credentials))
        configuration.proxy = configured
        return BoundedHTTPClient(configuration)
    }

    @Test("a request passes through the proxy, which sees only the host")
    func tunnel() async throws {
        let heads = HeadList()
        let proxy = try proxy(heads, credentials: "dXNlcjpwYTpzcw==")
        let server = try await GatewayServer.start()
        let credentials = try #require(HTTPProxy.Credentials(user: "user", password: "pa:ss"))
        let client = try client(server.authority, proxy, credentials)
        for _ in 0..<2 {
            let request = HTTPRequest(url: "\(server.url)/path", headers: ["Authorization": "Bearer secret"])
            let answer = try await client.send(request, within: .seconds(60))
            #expect(answer.status == 201 && answer.headers.first(name: "Retry-After") == nil)
        }
        let head = try #require(heads.all.first)
        #expect(heads.all.count == 1 && proxy.connectionCount == 1 && server.requests.count == 2)
        #expect(head.hasPrefix("CONNECT \(server.url.dropFirst("https://".count)) HTTP/1.1\r\n"))
        #expect(!head.contains("Bearer") && !head.contains("/path"))
        #expect(server.requests.allSatisfy { $0.header("proxy-authorization") == nil })
        await client.shutDown()
        await server.stop()
        proxy.stop()
    }

    @Test("HTTP/2 passes through the proxy, with many requests in one tunnel")
    func streams() async throws {
        let heads = HeadList()
        let proxy = try proxy(heads)
        let server = try await APNsServer.start()
        let client = try client(server.authority, proxy, nil, .http2)
        let url = "\(server.url)/3/device/\(String(repeating: "a1", count: 32))"
        await withTaskGroup(of: RequestFailure?.self) { group in
            for _ in 0..<20 { group.addTask { await client.failure(postingTo: url) } }
            for await failure in group { #expect(failure == nil) }
        }
        #expect(heads.all.count == 1 && server.pushes.count == 20)
        await client.shutDown()
        await server.stop()
        proxy.stop()
    }

    @Test("behind a proxy, server certificates are verified as usual")
    func untrusted() async throws {
        let heads = HeadList()
        let proxy = try proxy(heads)
        let server = try await GatewayServer.start()
        let client = try client(try TestAuthority(), proxy)
        let expected = RequestFailure(.untrustedServer, mayBeSent: false)
        #expect(await client.failure(postingTo: server.url) == expected)
        #expect(heads.all.count == 1 && server.requests.isEmpty)
        await client.shutDown()
        await server.stop()
        proxy.stop()
    }

    @Test("if the proxy rejects the credentials or is down, nothing was sent")
    func refused() async throws {
        let heads = HeadList()
        let proxy = try proxy(heads, credentials: "dXNlcjpwYTpzcw==")
        let server = try await GatewayServer.start()
        let client = try client(server.authority, proxy)
        #expect(await client.failure(postingTo: server.url)?.mayBeSent == false)
        proxy.stop()
        #expect(await client.failure(postingTo: server.url) == RequestFailure(.unreachable, mayBeSent: false))
        #expect(server.requests.isEmpty)
        await client.shutDown()
        await server.stop()
    }

    @Test(
        "a proxy's endless error response does not block other requests",
        arguments: ["Content-Length: 999999999", "Transfer-Encoding: chunked"]
    )
    func endlessRefusal(length: String) async throws {
        let isReadInFull = Mutex<Bool?>(nil)
        let proxy = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 407 Proxy Authentication Required\r\n\(length)\r\n\r\n")
            let part = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
            let count = (1...1024).prefix { _ in connection.write(part) }.count
            isReadInFull.withLock { $0 = count == 1024 }
        }
        let client = try client(try TestAuthority(), proxy)
        #expect(
            await client.failure(postingTo: "https://127.0.0.1:1") == RequestFailure(.connectionLost, mayBeSent: false)
        )
        await client.shutDown()
        #expect(await waitUntil { isReadInFull.withLock { $0 } != nil })
        #expect(isReadInFull.withLock { $0 } == false)
        proxy.stop()
    }

    @Test("plain HTTP, which is only for loopback, bypasses the proxy")
    func plain() async throws {
        let heads = HeadList()
        let proxy = try proxy(heads)
        let server = try await GatewayServer.start(isPlain: true)
        let client = try client(server.authority, proxy)
        #expect(await client.failure(postingTo: server.url) == nil)
        #expect(heads.all.isEmpty)
        await client.shutDown()
        await server.stop()
        proxy.stop()
    }

    @Test(
        "a proxy URL is http, a host and a port",
        arguments: [
            "", "http://", "http://host", "host:3128", "https://host:3128", "http://host:0", "http://host:65536",
            "http://host:3128/", "http://host:3128?a", "http://user:password@host:3128", "http://ho st:1",
            "http://[::1]",
        ]
    )
    func malformed(url: String) { #expect(HTTPProxy(url) == nil) }

    @Test("printing a proxy or its credentials shows no secret")
    func secrecy() throws {
        let credentials = try #require(HTTPProxy.Credentials(user: "user", password: "hidden"))
        let proxy = try #require(HTTPProxy("http://[::1]:3128", credentials: credentials))
        #expect("\(proxy) \(credentials)" == "HTTPProxy(…) Credentials(…)")
        for (user, password) in [("", "a"), ("a:b", "c"), ("a", "b\r\nc")] {
            #expect(HTTPProxy.Credentials(user: user, password: password) == nil)
        }
    }
}

/// The heads of the requests that a proxy received.
private final class HeadList: Sendable {
    private let heads = Mutex<[String]>([])

    var all: [String] { heads.withLock { $0 } }

    func add(_ head: String) { heads.withLock { $0.append(head) } }
}
