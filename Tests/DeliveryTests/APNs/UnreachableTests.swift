import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct UnreachableTests {
        @Test("a host that does not resolve is reported")
        func unknownHost() async throws {
            let line = try await diagnose("https://apns.dialtone.invalid", [])
            #expect(
                line
                    == "production: the host of https://apns.dialtone.invalid does not resolve: check the name and DNS"
            )
        }

        @Test("a port without a listener is reported")
        func nothingListens() async throws {
            let server = try await APNsServer.start()
            await server.stop()
            let line = try await diagnose(server.url, [server.authority.certificatePEM])
            #expect(line == "production: \(server.url) cannot be reached: check the network and its firewall")
        }

        @Test("an untrusted server certificate is reported")
        func untrusted() async throws {
            let server = try await APNsServer.start()
            let trouble = "has an untrusted certificate: check for a proxy, and the trusted certificates"
            let strange = try await diagnose(server.url, [try TestAuthority().certificatePEM])
            #expect(strange == "production: \(server.url) \(trouble)")
            await server.stop()
        }

        @Test("a server that accepts connections and never responds is reported")
        func silent() async throws {
            let server = try await APNsServer.start()
            server.queue(.silence)
            let line = try await diagnose(server.url, [server.authority.certificatePEM], deadline: .milliseconds(300))
            #expect(line == "production: \(server.url) did not answer in time: check the network and its firewall")
            await server.stop()
        }

        /// Returns the line about production at `url`. `trusted` are the trusted authorities; nil for those of the
        /// system.
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
