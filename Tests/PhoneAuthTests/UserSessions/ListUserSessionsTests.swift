import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct ListUserSessionsTests {
        let deployment: Deployment
        let project: Project

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        private func requester(_ address: String, _ client: String?) -> Requester {
            Requester(actor: .user, requestID: "r", clientAddress: address, client: client)
        }

        private func session(_ uid: String) throws -> ListedUserSession {
            try #require(try deployment.authenticator().in(project).userSessions(uid: uid).first)
        }

        @Test(
            "a session shows where its user signed in and where it was last used",
            arguments: [false, true]
        )
        func origin(byLink: Bool) throws {
            let home = deployment.authenticator().working(for: requester("192.0.2.1", "iOS/1"))
            let user = try home.in(project).signUpAnonymously()
            let first = try session(user.account.uid)
            #expect(first.client == "iOS/1" && first.lastClient == "iOS/1")
            #expect(first.networkHash != nil && first.networkHash == first.lastNetworkHash)
            #expect(first.isUsedFromOtherNetwork == false)

            let abroad = home.working(for: requester("198.51.100.1", "Chrome/2"))
            func use(_ authenticator: Authenticator, _ index: Int) throws {
                if byLink {
                    let request = try authenticator.in(project).answered(fictionalNumber(index), idToken: user.idToken)
                    _ = try authenticator.in(project).signInWithPhoneNumber(request)
                } else {
                    _ = try authenticator.in(project).exchangeRefreshToken(user.refreshToken)
                }
            }
            deployment.clock.advance(by: .seconds(60))
            try use(abroad, 0)
            let used = try session(user.account.uid)
            #expect(used.client == "iOS/1" && used.networkHash == first.networkHash)
            #expect(used.lastClient == "Chrome/2" && used.lastNetworkHash != first.networkHash)
            #expect(used.isUsedFromOtherNetwork == true && used.lastUsedAt == deployment.clock.now)

            try use(home.working(for: requester("192.0.2.1", nil)), 1)
            let unnamed = try session(user.account.uid)
            #expect(unnamed.client == "iOS/1" && unnamed.lastClient == nil)
            #expect(unnamed.isUsedFromOtherNetwork == false)

            try use(home, 2)
            let back = try session(user.account.uid)
            #expect(back.lastClient == "iOS/1" && back.lastNetworkHash == first.networkHash)
            let key = try #require(deployment.keyNames(matching: "*:session:*").first)
            #expect(deployment.cli("HEXISTS", key, "last-client") == "0")
            #expect(deployment.cli("HEXISTS", key, "last-network") == "0")
        }
    }
}
