import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing
import Threads

@Suite struct ActiveThreadsTests {
    let socket = TemporarySocket()

    private final class Counts: Sendable {
        let present = Atomic(0)
        let most = Atomic(0)
    }

    @Test("no more requests are processed concurrently than there are active threads")
    func bound() throws {
        let counts = Counts()
        let server = try RunningServer(Listener(socket.address), threads: 6, activeThreads: 2) { request in
            let present = counts.present.add(1, ordering: .relaxed).newValue
            counts.most.max(present, ordering: .relaxed)
            usleep(1_000)
            counts.present.subtract(1, ordering: .relaxed)
            return echo(request)
        }
        let address = server.address
        let wrong = try inParallel(8) { number in
            let client = try FastCGIClient(address)
            return (0..<40).count { client.exchange(RequestRecords(body: Array("\($0)".utf8)))?.text != "\($0)" }
        }
        #expect(wrong.allSatisfy { $0 == 0 })
        #expect(counts.most.load(ordering: .relaxed) == 2)
    }

    @Test("a client that reads its response slowly delays no other request")
    func slowReader() throws {
        let long = [UInt8](repeating: 76, count: 2_000_000)
        let server = try RunningServer(Listener(socket.address), threads: 2, activeThreads: 1) { request in
            if case .bytes([76]) = request.body { return Response(status: 200, body: long) }
            return echo(request)
        }
        let slow = try FastCGIClient(server.address)
        slow.send(RequestRecords(body: [76]).bytes)
        let other = try FastCGIClient(server.address)
        for _ in 0..<20 { #expect(other.exchange(RequestRecords(body: [65]))?.text == "A") }
        #expect(slow.receive()?.body.count == long.count)
    }

    @Test("the rest of a body that is too large delays no other request")
    func largeBody() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2, activeThreads: 1)
        let slow = try FastCGIClient(server.address)
        slow.send(Array(RequestRecords(body: [UInt8](repeating: 1, count: 200_000)).bytes.dropLast(100_000)))
        #expect(slow.receive()?.head.first == "Status: 413 Content Too Large")
        let other = try FastCGIClient(server.address)
        #expect(other.exchange(RequestRecords(body: [65]))?.text == "A")
    }

    @Test("while handlers wait, other requests are processed, and a stop still waits for all of them")
    func waitingHandlers() throws {
        let mayContinue = Semaphore()
        let counts = Counts()
        let server = try RunningServer(Listener(socket.address), threads: 4, activeThreads: 1) { request in
            if case .bytes([87]) = request.body {
                counts.present.add(1, ordering: .relaxed)
                ActiveThreads.stepAside { mayContinue.wait() }
            }
            return echo(request)
        }
        let address = server.address
        let answers = try inParallel(4) { number in
            let client = try FastCGIClient(address)
            guard number == 3 else { return client.exchange(RequestRecords(body: [87]))?.text }
            for _ in 0..<20 {
                guard client.exchange(RequestRecords(body: [65]))?.text == "A" else { return nil }
            }
            #expect(eventually { counts.present.load(ordering: .relaxed) == 3 })
            server.stop()
            for _ in 0..<3 { mayContinue.signal() }
            return "A"
        }
        #expect(answers == ["W", "W", "W", "A"])
        server.join()
    }
}
