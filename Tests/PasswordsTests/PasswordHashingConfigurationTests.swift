import Passwords
import Testing

@Suite struct PasswordHashingConfigurationTests {
    @Test(
        "blocked callers stay within the password budget, however many threads there are",
        arguments: [
            (1, 16, 1, 4), (2, 16, 2, 3), (4, 16, 4, 1), (32, 16, 4, 1), (32, 512, 32, 128), (1, 8, 1, 1), (1, 4, 1, 1),
            (1, 1, 1, 1), (0, 0, 1, 1),
        ]
    )
    func threads(wanted: Int, servingThreads: Int, threads: Int, maximumWaiting: Int) {
        let configuration = PasswordHashingConfiguration(threads: wanted, servingThreads: servingThreads)
        #expect(configuration.threads == threads)
        #expect(configuration.maximumWaiting == maximumWaiting)
        #expect(threads + maximumWaiting <= max(2, servingThreads * 5 / 16))
    }

    @Test("a process has one thread with memory for the largest hash, and new hashes have the recommended cost")
    func defaults() {
        let configuration = PasswordHashingConfiguration(servingThreads: 16)
        #expect(configuration == PasswordHashingConfiguration(threads: 1, servingThreads: 16))
        #expect(configuration.memoryBytes == 128 << 20)
        #expect(PasswordHashingConfiguration(threads: 3, servingThreads: 16).memoryBytes == 192 << 20)
        #expect(configuration.parameters == .recommended)
    }
}
