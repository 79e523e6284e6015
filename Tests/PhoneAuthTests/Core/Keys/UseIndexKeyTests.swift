import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct UseIndexKeyTests {
        @Test("identifiers cannot be looked up during a move or without the key in force")
        func refusals() throws {
            let test = try MovableDeployment()
            var move = test.move()
            while try move.next() != .waited {}
            let worker = test.deployment.authenticator()
            #expect(throws: IndexKeyRefusal.moving) { try worker.useIndexKeyInForce() }
            try worker.useIndexKeyInForce(duringMove: .underFormerKey)
            #expect(worker.keys.indexKey.id == 1)
            while try move.next() != nil {}
            move.release()
            try worker.useIndexKeyInForce()
            #expect(worker.keys.indexKey.id == 2)
            let without = test.deployment.authenticator(keys: try TestKeys.make())
            let error = #expect(throws: IndexKeyRefusal.keyMissing(id: 2)) { try without.useIndexKeyInForce() }
            #expect(error?.description.contains("copy the deployment's current key file") == true)
            var only = without.moveIndexKey(to: nil, pause: .zero)
            #expect(throws: IndexKeyMoveFailure.formerKeyMissing(2)) { while try only.next() != nil {} }
        }
    }
}
