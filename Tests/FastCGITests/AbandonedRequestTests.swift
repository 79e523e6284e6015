import FastCGI
import Glibc
import Synchronization
import Testing
import Threads

/// Requests whose web server has stopped waiting before a thread handles them: it has closed the connection, as nginx
/// does after its timeout.
@Suite struct AbandonedRequestTests {
    let socket = TemporarySocket()

    private final class Bodies: Sendable {
        let list = Mutex<[String]>([])
    }

    /// Returns the bodies of the requests that a server with one thread handled. The server was busy with "first" until
    /// `meanwhile` had ended.
    private func handled(
        by listener: Listener,
        _ meanwhile: (_ client: () throws -> FastCGIClient) throws -> Void
    ) throws -> [String] {
        let (isBusy, mayContinue) = (Semaphore(), Semaphore())
        let bodies = Bodies()
        let server = try RunningServer(listener, threads: 1) { request in
            let response = echo(request)
            let text = String(decoding: response.body, as: UTF8.self)
            bodies.list.withLock { $0.append(text) }
            if text == "first" {
                isBusy.signal()
                mayContinue.wait()
            }
            return response
        }
        defer { withExtendedLifetime(server) {} }
        var kept: FastCGIClient? = try FastCGIClient(server.address)
        #expect(kept?.exchange(RequestRecords(body: Array("kept".utf8)))?.text == "kept")
        let first = try FastCGIClient(server.address)
        first.send(RequestRecords(body: Array("first".utf8)).bytes)
        isBusy.wait()
        try meanwhile {
            defer { kept = nil }
            return try kept ?? FastCGIClient(server.address)
        }
        kept = nil
        mayContinue.signal()
        #expect(first.receive()?.text == "first")
        // One thread takes connections in order, so the earlier requests have been handled before these.
        for _ in 0..<10 {
            #expect(try FastCGIClient(server.address).exchange(RequestRecords(body: [65]))?.text == "A")
        }
        return bodies.list.withLock { $0.filter { $0 != "A" } }
    }

    @Test("abandoned requests are dropped unprocessed, on new and kept connections", arguments: ["unix", "tcp"])
    func dropped(kind: String) throws {
        let address = try kind == "unix" ? socket.address : ListenAddress(parsing: "tcp:127.0.0.1:0")
        let handled = try handled(by: Listener(address)) { client in
            for number in 0..<5 { try client().send(RequestRecords(body: Array("abandoned \(number)".utf8)).bytes) }
        }
        #expect(handled == ["kept", "first"])
    }

    @Test("requests are not abandoned while the web server waits, even if it half-closed the connection")
    func halfClosed() throws {
        var waiting: FastCGIClient?
        let handled = try handled(by: Listener(socket.address)) { client in
            _ = try client()
            let client = try client()
            client.send(RequestRecords(body: Array("waiting".utf8)).bytes)
            shutdown(client.descriptor, Int32(SHUT_WR))
            waiting = client
        }
        #expect(handled == ["kept", "first", "waiting"])
        #expect(waiting?.receive()?.text == "waiting")
    }
}
