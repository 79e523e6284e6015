import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing
import Threads

@Suite struct StopTests {
    let socket = TemporarySocket()

    @Test("a server without connections stops at once, also when it was asked before it ran")
    func idle() throws {
        let server = try RunningServer(Listener(socket.address), drainGrace: .seconds(30))
        server.stop()
        let start = ContinuousClock.now
        server.join()
        #expect(start.duration(to: .now) < .seconds(15))
    }

    @Test("a request in hand is finished")
    func inHand() throws {
        let isInHand = Semaphore()
        let mayEnd = Semaphore()
        let server = try RunningServer(Listener(socket.address), drainGrace: .zero) { request in
            isInHand.signal()
            mayEnd.wait()
            return echo(request)
        }
        let client = try FastCGIClient(server.address)
        client.send(RequestRecords(body: [65]).bytes)
        isInHand.wait()
        server.stop()
        usleep(100_000)
        mayEnd.signal()
        #expect(client.receive()?.text == "A")
        #expect(client.isEnded(within: .seconds(5)))
    }

    @Test("a request that comes within the grace is answered, with a goodbye, and its connection then closes")
    func grace() throws {
        let server = try RunningServer(Listener(socket.address), drainGrace: .seconds(3))
        let late = try FastCGIClient(server.address)
        let idle = try FastCGIClient(server.address)
        for client in [late, idle] { #expect(client.exchange(RequestRecords(body: [65]))?.text == "A") }
        server.stop()
        usleep(50_000)
        #expect(late.exchange(RequestRecords(body: [66]))?.text == "B")
        #expect(late.receiveGoodbye())
        #expect(late.isEnded(within: .seconds(5)))
        #expect(!idle.isEnded(within: .milliseconds(100)))
        #expect(idle.isEnded())
    }

    @Test("a stopping server leaves its inherited socket to its siblings")
    func siblings() throws {
        let owner = try Listener(socket.address)
        let stopping = try RunningServer(Listener(.inherited(descriptor: dup(owner.descriptor))))
        let staying = try RunningServer(Listener(.inherited(descriptor: dup(owner.descriptor))))
        let address = owner.address
        let isOver = Flag()
        let load = try WorkThread(name: "load") {
            while !isOver.isSet {
                let answer = try? FastCGIClient(address).exchange(RequestRecords(body: [65]))
                if answer?.text != "A" { Issue.record("a new connection was not answered") }
            }
        }
        usleep(50_000)
        stopping.stop()
        stopping.join()
        usleep(50_000)
        isOver.set()
        load.join()
        #expect(try FastCGIClient(address).exchange(RequestRecords(body: [66]))?.text == "B")
        _ = staying
    }

    @Test("stopping under load loses no request that was sent whole", arguments: 1...10)
    func underLoad(round: Int) throws {
        let server = try RunningServer(
            Listener(socket.address),
            threads: 3,
            drainGrace: .milliseconds(20 * (round % 3))
        )
        let address = server.address
        let lost = try inParallel(10) { number -> (answered: Int, lost: Int) in
            guard let client = try? FastCGIClient(address) else { return (0, 0) }
            var answered = 0
            while client.send(RequestRecords(body: Array("\(number)/\(answered)".utf8)).bytes) {
                guard client.receive()?.text == "\(number)/\(answered)" else { return (answered, 1) }
                answered += 1
                if number == 0 && answered == 50 + round * 7 { server.stop() }
                if number.isMultiple(of: 3) { usleep(500) }
            }
            return (answered, 0)
        }
        server.stop()
        server.join()
        #expect(lost.reduce(0) { $0 + $1.lost } == 0)
        #expect(lost.reduce(0) { $0 + $1.answered } > 100)
    }

    @Test("servers that come and go on one socket lose no request", arguments: 1...3)
    func rolling(round: Int) throws {
        let owner = try Listener(socket.address)
        let address = owner.address
        let isOver = Flag()
        let descriptor = owner.descriptor
        let roller = try WorkThread(name: "roller") {
            var current: RunningServer?
            for _ in 0..<8 {
                let next = try? RunningServer(
                    Listener(.inherited(descriptor: dup(descriptor))),
                    threads: 2,
                    drainGrace: .milliseconds(10)
                )
                usleep(15_000)
                current?.stop()
                current?.join()
                current = next
            }
            isOver.set()
            usleep(100_000)
        }
        let lost = try inParallel(6) { number in
            var lost = 0
            while !isOver.isSet {
                guard let client = try? FastCGIClient(address) else { continue }
                for _ in 0..<20 where client.send(RequestRecords(body: [65]).bytes) {
                    if client.receive()?.text != "A" { lost += 1 }
                }
            }
            return lost
        }
        roller.join()
        #expect(lost.reduce(0, +) == 0)
    }
}
