import Testing
import Threads

@Suite struct CountingGateTests {
    @Test("one owner gets its share, and all owners together the maximum")
    func shares() {
        let gate = CountingGate(maximum: 3, owners: 2)
        let isNested = gate.run(for: "a") {
            #expect(gate.run(for: "a") { true } == nil)
            return gate.run(for: "b") {
                gate.run(for: "c") { gate.run(for: "d") { true } == nil } ?? false
            }
        }
        #expect(isNested == true)
        #expect(gate.run(for: "a") { true } == true, "the share was given back")
    }

    @Test("a single owner gets the maximum, each of too many owners one, and none more than the most")
    func numbers() {
        #expect(CountingGate(maximum: 4, owners: 1).share == 4)
        #expect(CountingGate(maximum: 4, owners: 0).share == 4)
        #expect(CountingGate(maximum: 2, owners: 5).share == 1)
        #expect(CountingGate(maximum: 9, owners: 3, most: 2).share == 2)
    }

    @Test("a holder that its group has no room for counts nowhere")
    func groups() {
        let gate = CountingGate(maximum: 3, share: 3)
        #expect(gate.enter("a", in: [("small", 1)]))
        #expect(!gate.enter("a", in: [("large", 2), ("small", 1)]))
        #expect(!gate.hasRoom(for: "b", in: [("small", 1)]) && gate.hasRoom(for: "b", in: [("large", 1)]))
        #expect(gate.count(of: "a") == 1)
        gate.leave("a", in: [("small", 1)])
        #expect(gate.enter("b", in: [("large", 2), ("small", 1)]))
        #expect(gate.count(of: "a") == 0)
    }
}
