import Testing

@testable import PhoneAuth
@testable import RedisScripts

/// Slots of a cluster that are being moved.
@Suite struct OpenSlotTests {
    /// A reply to `CLUSTER NODES` of node `a`, which imports slot 7 from `b` and exports slot 9 to `c`.
    private func nodes(b: String, c: String) -> String {
        """
        a 127.0.0.1:1@2 myself,master - 0 0 1 connected 0-5460 [7-<-b] [9->-c]
        b 127.0.0.1:3@4 \(b)
        c 127.0.0.1:5@6 \(c)

        """
    }

    @Test("a move is interrupted if the other node lost the slot or is no longer a master")
    func interruptions() {
        let sound = nodes(b: "master - 0 0 2 connected 7 5461-10922", c: "master - 0 0 3 connected 10923-16383")
        #expect(OpenSlot.all(in: sound).map(\.number) == [7, 9])
        #expect(OpenSlot.all(in: sound).allSatisfy { $0.interruption == nil })
        let failed = nodes(b: "slave d 0 0 2 connected", c: "slave e 0 0 3 connected")
        #expect(OpenSlot.all(in: failed).map(\.interruption) == [.exporterReplaced, .importerReplaced])
        let forgotten = nodes(b: "noaddr,fail - 0 0 2 disconnected", c: "noaddr,fail - 0 0 3 disconnected")
        #expect(OpenSlot.all(in: forgotten).map(\.interruption) == [.exporterReplaced, .importerReplaced])
    }
}
