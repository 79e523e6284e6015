import Testing

@testable import Delivery

@Suite struct PatienceTests {
    @Test("a stop ends current and later waits")
    func stop() async {
        let patience = Patience()
        #expect(await patience.pause(.milliseconds(1)))
        #expect(!patience.isStopped)
        async let current = patience.pause(.seconds(3600))
        patience.stop()
        #expect(await !current)
        #expect(await !patience.pause(.seconds(3600)))
        #expect(patience.isStopped)
    }
}
