import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing
import Threads

@Suite struct ListenerTests {
    let socket = TemporarySocket()

    @Test("a Unix socket is accessible to its owner and group, and its file is removed at the end")
    func unixFile() throws {
        do {
            let listener = try Listener(socket.address)
            #expect(listener.address == socket.address)
            #expect(mode(socket.path) == S_IFSOCK | 0o660)
        }
        #expect(mode(socket.path) == nil)
    }

    @Test("a stale socket file is replaced")
    func stale() throws {
        try leaveStaleFile()
        let server = try RunningServer(Listener(socket.address))
        #expect(try FastCGIClient(server.address).exchange(RequestRecords(body: [65]))?.text == "A")
    }

    @Test("a socket with a listening server is rejected and keeps working")
    func live() throws {
        let server = try RunningServer(Listener(socket.address))
        #expect(throws: ListenError.inUse(socket.address)) { try Listener(socket.address) }
        #expect(try FastCGIClient(server.address).exchange(RequestRecords(body: [65]))?.text == "A")
    }

    @Test("if servers start concurrently on a stale file, exactly one succeeds")
    func race() throws {
        let address = socket.address
        for _ in 0..<100 {
            try leaveStaleFile()
            let arrivals = Arrivals()
            let listeners = try inParallel(4) { _ in
                arrivals.wait(for: 4)
                return try? Listener(address)
            }
            #expect(listeners.count { $0 != nil } == 1)
            #expect(throws: Never.self) { try FastCGIClient(address) }
        }
    }

    @Test("a file that is not a socket is left unchanged")
    func regularFile() throws {
        close(open(socket.path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: ListenError.notASocket(socket.address)) { try Listener(socket.address) }
        #expect(mode(socket.path) == S_IFREG | 0o600)
    }

    @Test("errors contain the address and the reason")
    func messages() {
        let long = ListenAddress.unix(path: "/tmp/" + String(repeating: "x", count: 120))
        #expect(message { try Listener(long) } == "cannot listen on \(long): bind: File name too long")
        let missing = ListenAddress.unix(path: socket.folder + "/missing/s.sock")
        #expect(message { try Listener(missing) } == "cannot listen on \(missing): bind: No such file or directory")
    }

    @Test("a TCP port in use is rejected")
    func portInUse() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        #expect(listener.address != .tcp(host: "127.0.0.1", port: 0))
        #expect(throws: ListenError.inUse(listener.address)) { try Listener(listener.address) }
    }

    @Test("an inherited socket is served")
    func inherited() throws {
        let owner = try Listener(socket.address)
        let server = try RunningServer(Listener(.inherited(descriptor: dup(owner.descriptor))))
        #expect(server.address != owner.address)
        #expect(try FastCGIClient(owner.address).exchange(RequestRecords(body: [65]))?.text == "A")
    }

    @Test("an inherited descriptor that is not a listening socket is rejected")
    func notListening() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let unbound = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(unbound) }
        for descriptor in [file, unbound] {
            let address = ListenAddress.inherited(descriptor: descriptor)
            #expect(throws: ListenError.notListening(address)) { try Listener(address) }
        }
        let closed = ListenAddress.inherited(descriptor: 99_999)
        #expect(message { try Listener(closed) } == "cannot listen on fd:99999: getsockopt: Bad file descriptor")
    }

    private func leaveStaleFile() throws {
        let other = socket.folder + "/other.sock"
        let listener = try Listener(.unix(path: other))
        guard link(other, socket.path) == 0 else { throw FastCGIClient.ConnectFailure(error: errno) }
        _ = listener
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    private func message(_ body: () throws -> Listener) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// Lets threads start at the same time.
private final class Arrivals: Sendable {
    private let count = Atomic(0)

    func wait(for all: Int) {
        count.add(1, ordering: .relaxed)
        while count.load(ordering: .relaxed) < all {}
    }
}
