import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisScripts
import Testing
import TestServers

/// Two mock servers, one for each environment, and a client.
struct APNsPair: Sendable {
    let production: APNsServer
    let sandbox: APNsServer
    let client: APNsClient
    let clock: SettableClock
    let key: TestKey
    let credential: APNsCredential
    let topic: BundleID

    /// Runs `body` with new servers and a new client, and stops them after it.
    static func run(
        isVerifyingClients: Bool = false,
        deadline: Duration = .seconds(30),
        maximumStreams: Int = 1000,
        _ body: (APNsPair) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let production = try await APNsServer.start(
            authority: authority,
            // A port that no other process takes while a test has stopped the server.
            port: FreePort.next(),
            maximumStreams: maximumStreams,
            isVerifyingClients: isVerifyingClients
        )
        let sandbox = try await APNsServer.start(authority: authority, isVerifyingClients: isVerifyingClients)
        let clock = SettableClock()
        let key = TestKey()
        var configuration = APNsConfiguration()
        configuration.production = try #require(PushOrigin(production.url))
        configuration.sandbox = try #require(PushOrigin(sandbox.url))
        configuration.trustRoots = .certificates(pem: authority.certificatePEM)
        configuration.requestDeadline = deadline
        let pair = APNsPair(
            production: production,
            sandbox: sandbox,
            client: try APNsClient(configuration, clock.environment),
            clock: clock,
            key: key,
            credential: .providerToken(try key.providerTokenKey()),
            topic: try Example.topic()
        )
        do {
            try await body(pair)
            await pair.stop()
        } catch {
            await pair.stop()
            throw error
        }
    }

    /// Sends a push to a device, trying production first.
    func push(
        to device: String = Example.device,
        as credential: APNsCredential? = nil,
        tryingFirst environment: PushEnvironment = .production
    ) async -> PushOutcome {
        guard let deviceToken = DeviceToken(hexadecimal: device) else {
            Issue.record("not a device token")
            return .badDeviceToken
        }
        let notification = Example.notification(to: deviceToken, topic)
        return await client.send(notification, as: credential ?? self.credential, tryingFirst: environment)
    }

    /// Sends a push to each of many devices concurrently, and returns the outcomes in the devices' order.
    func push(toDevices numbers: some Collection<Int>) async -> [PushOutcome] {
        await withTaskGroup(of: (Int, PushOutcome).self) { group in
            for number in numbers {
                group.addTask { (number, await push(to: Example.device(number))) }
            }
            let outcomes = await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return outcomes.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Sends pushes to many devices, and again to those whose connection was lost. Returns the devices that ten
    /// attempts did not reach.
    ///
    /// A push may use a connection that has just ended.
    func deliver(toDevices numbers: some Collection<Int>) async -> [Int] {
        var missing = numbers.sorted()
        for _ in 0..<10 where !missing.isEmpty {
            let outcomes = await push(toDevices: missing)
            let expected: [PushOutcome] = [.delivered(.production), .retry(after: nil, .transport(.connectionLost))]
            #expect(outcomes.allSatisfy(expected.contains))
            missing = zip(missing, outcomes).filter { $0.1 != .delivered(.production) }.map(\.0)
        }
        return missing
    }

    private func stop() async {
        await client.shutDown()
        await production.stop()
        await sandbox.stop()
    }
}
