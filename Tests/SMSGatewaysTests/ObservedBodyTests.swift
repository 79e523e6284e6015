import NIOCore
import Testing

@testable import SMSGateways

@Suite struct ObservedBodyTests {
    @Test("a body that was asked for goes out, and was asked for from then on")
    func begun() async throws {
        let body = ObservedBody(Array("text".utf8))
        var parts: [[UInt8]] = []
        for try await part in body { parts.append(Array(part.readableBytesView)) }
        #expect(parts == [Array("text".utf8)])
        #expect(body.withdraw() && body.withdraw())
    }

    @Test("a body that is withdrawn before never goes out, however late it is asked for")
    func withdrawn() async {
        let body = ObservedBody(Array("text".utf8))
        #expect(!body.withdraw())
        await #expect(throws: CancellationError.self) {
            for try await _ in body {}
        }
        #expect(!body.withdraw())
    }
}
