import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisStore
import Testing

extension APNsTests {
    @Suite struct UnreachableTests {
        @Test("a host without an address")
        func unknownHost() async throws {
            let line = try await diagnose("https://apns.dialtone.invalid", [])
            #expect(
                line
                    == "production: the host of https://apns.dialtone.invalid has no address: check its name and the DNS"
            )
        }

        @Test("a port where nothing listens")
        func nothingListens() async throws {
            let server = try await APNsServer.start()
            await server.stop()
            let line = try await diagnose(server.url, [server.authority.certificatePEM])
            #expect(line == "production: \(server.url) cannot be reached: check the network and its firewall")
        }

        @Test("a server whose certificate is of an authority that is not trusted here")
        func untrusted() async throws {
            let server = try await APNsServer.start()
            let trouble =
                "shows a certificate that is not trusted here: check for a proxy, and the trusted certificates"
            let strange = try await diagnose(server.url, [try TestAuthority().certificatePEM])
            #expect(strange == "production: \(server.url) \(trouble)")
            await server.stop()
        }

        @Test("a server that accepts and says nothing")
        func silent() async throws {
            let server = try await APNsServer.start()
            server.queue(.silence)
            let line = try await diagnose(server.url, [server.authority.certificatePEM], deadline: .milliseconds(300))
            #expect(line == "production: \(server.url) did not answer in time: check the network and its firewall")
            await server.stop()
        }

        /// The line for production at `url`, where `trusted` are the authorities; none stands for the system's.
        private func diagnose(_ url: String, _ trusted: [String], deadline: Duration = .seconds(10)) async throws
            -> String
        {
            var configuration = APNsConfiguration()
            configuration.production = try #require(PushOrigin(url))
            if let pem = trusted.first { configuration.trustRoots = .certificates(pem: pem) }
            configuration.requestDeadline = deadline
            let client = try APNsClient(configuration)
            let credential = APNsCredential.providerToken(try TestKey().providerTokenKey())
            let diagnosis = await client.diagnose(credential, topic: try Example.topic(), environments: [.production])
            await client.shutDown()
            #expect(!diagnosis.isHealthy)
            return diagnosis.line
        }
    }
}
