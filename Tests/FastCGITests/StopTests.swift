import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing
import Threads

@Suite struct StopTests {
    let socket = TemporarySocket()

    @Test("an idle server stops immediately, even if it is stopped before it runs", .timeLimit(.minutes(30)))
    func idle() throws {
        // A server that waited for its grace period would exceed the test's time limit.
        let server = try RunningServer(Listener(socket.address), drainGrace: .seconds(3600))
        server.stop()
        server.join()
    }

    @Test("a request in progress is completed")
    func inHand() throws {
        let isInHand = Semaphore()
        let mayEnd = Semaphore()
        let server = try RunningServer(Listener(socket.address), drainGrace: .zero) { request in
            isInHand.signal()
            mayEnd.wait()
            return echo(request)
        }
        let idle = try FastCGIClient(server.address)
        let client = try FastCGIClient(server.address)
        client.send(RequestRecords(body: [65]).bytes)
        isInHand.wait()
        server.stop()
        #expect(idle.isEnded())
        mayEnd.signal()
        #expect(client.receive()?.text == "A")
        #expect(client.isEnded())
    }

    @Test("a request that arrives in the grace period gets a response, and then its connection is closed")
    func grace() throws {
        let server = try RunningServer(Listener(socket.address), drainGrace: .seconds(8))
        let late = try FastCGIClient(server.address)
        let idle = try FastCGIClient(server.address)
        for client in [late, idle] { #expect(client.exchange(RequestRecords(body: [65]))?.text == "A") }
        server.stop()
        // A response that the server sends before it notices the stop has no end-of-stream record.
        let hasGoodbye = eventually {
            late.exchange(RequestRecords(body: [66]))?.text == "B"
                && late.receiveEndOfStream(within: .seconds(2))
        }
        #expect(hasGoodbye)
        #expect(late.isEnded())
        #expect(!idle.isEnded(within: .milliseconds(100)))
        #expect(idle.isEnded())
    }

    @Test("a stopping server leaves its inherited socket to other servers")
    func siblings() throws {
        let owner = try Listener(socket.address)
        let stopping = try RunningServer(Listener(.inherited(descriptor: dup(owner.descriptor))))
        let staying = try RunningServer(Listener(.inherited(descriptor: dup(owner.descriptor))))
        let address = owner.address
        let isOver = Flag()
        let answered = Counter()
        let load = try WorkThread(name: "load") {
            while !isOver.isSet {
                let answer = try? FastCGIClient(address).exchange(RequestRecords(body: [65]))
                if answer?.text != "A" { Issue.record("a new connection was not answered") }
                answered.increment()
            }
        }
        answered.waitForMore(100)
        stopping.stop()
        stopping.join()
        answered.waitForMore(100)
        isOver.set()
        load.join()
        #expect(try FastCGIClient(address).exchange(RequestRecords(body: [66]))?.text == "B")
        _ = staying
    }

    @Test("stopping under load loses no completely sent request", arguments: 1...10)
    func underLoad(round: Int) throws {
        let server = try RunningServer(
            Listener(socket.address),
            threads: 3,
            drainGrace: .milliseconds(20 * (round % 3))
        )
        let address = server.address
        let answeredOfAll = Counter()
        let lost = try inParallel(10) { number -> (answered: Int, lost: Int) in
            guard let client = try? FastCGIClient(address) else { return (0, 0) }
            var answered = 0
            while client.send(RequestRecords(body: Array("\(number)/\(answered)".utf8)).bytes) {
                guard client.receive()?.text == "\(number)/\(answered)" else { return (answered, 1) }
                answered += 1
                answeredOfAll.increment()
                // Stops under load, after the other clients have started.
                if number == 0 && answered >= 50 + round * 7 && answeredOfAll.count > 100 { server.stop() }
                if number.isMultiple(of: 3) { sched_yield() }
            }
            return (answered, 0)
        }
        server.stop()
        server.join()
        #expect(lost.reduce(0) { $0 + $1.lost } == 0)
        #expect(lost.reduce(0) { $0 + $1.answered } > 100)
    }

    @Test("starting and stopping servers on one socket loses no request", arguments: 1...3)
    func rolling(round: Int) throws {
        let owner = try Listener(socket.address)
        let address = owner.address
        let isOver = Flag()
        let answered = Counter()
        let descriptor = owner.descriptor
        let clientsHaveEnded = Semaphore()
        let roller = try WorkThread(name: "roller") {
            var current: RunningServer?
            for _ in 0..<8 {
                let next = try? RunningServer(
                    Listener(.inherited(descriptor: dup(descriptor))),
                    threads: 2,
                    drainGrace: .milliseconds(10)
                )
                answered.waitForMore(20)
                current?.stop()
                current?.join()
                current = next
            }
            answered.waitForMore(20)
            isOver.set()
            // The last server serves until all clients have finished.
            clientsHaveEnded.wait()
        }
        let lost = try inParallel(6) { number in
            var lost = 0
            while !isOver.isSet {
                guard let client = try? FastCGIClient(address) else { continue }
                for _ in 0..<20 where client.send(RequestRecords(body: [65]).bytes) {
                    if client.receive()?.text != "A" { lost += 1 }
                    answered.increment()
                }
            }
            return lost
        }
        clientsHaveEnded.signal()
        roller.join()
        #expect(lost.reduce(0, +) == 0)
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func increment() { value.add(1, ordering: .relaxed) }

    func waitForMore(_ more: Int) {
        let before = count
        #expect(eventually { count >= before + more })
    }
}
