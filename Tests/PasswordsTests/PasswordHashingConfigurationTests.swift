import Passwords
import Testing

@Suite struct PasswordHashingConfigurationTests {
    @Test(
        "there is a thread for every two cores, and half of the callers are never blocked",
        arguments: [
            (1, 16, 1, 7), (2, 16, 1, 7), (4, 16, 2, 6), (8, 16, 4, 4), (64, 16, 7, 1), (64, 512, 32, 224),
            (2, 8, 1, 3),
            (2, 4, 1, 1), (2, 1, 1, 1), (0, 0, 1, 1),
        ]
    )
    func threads(cores: Int, servingThreads: Int, threads: Int, maximumWaiting: Int) {
        let configuration = PasswordHashingConfiguration(cores: cores, servingThreads: servingThreads)
        #expect(configuration.threads == threads)
        #expect(configuration.maximumWaiting == maximumWaiting)
        #expect(threads + maximumWaiting <= max(2, servingThreads / 2))
    }

    @Test("the machine's cores are counted, and new hashes cost what is recommended")
    func defaults() {
        let configuration = PasswordHashingConfiguration(servingThreads: 16)
        #expect(PasswordHashingConfiguration.onlineCores >= 1)
        #expect(
            configuration
                == PasswordHashingConfiguration(cores: PasswordHashingConfiguration.onlineCores, servingThreads: 16)
        )
        #expect(configuration.parameters == .recommended)
    }
}
