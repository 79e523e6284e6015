import PhoneAuth
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    @Suite struct RegionPolicyTests {
        /// Calling codes that several regions share, and one of none: a number of each region.
        static let numbers: [(region: String, number: String)] = [
            ("US", "+16505550100"), ("CA", "+14165550123"), ("JM", "+18765550123"), ("DO", "+18095550123"),
            ("PR", "+17875550123"), ("RU", "+79261234567"), ("KZ", "+77012345678"), ("GB", "+447400123456"),
            ("JE", "+447797712345"), ("GG", "+447911123456"), ("IM", "+447624012345"), ("CW", "+59995181234"),
            ("BQ", "+5993181234"), ("RE", "+262692123456"), ("YT", "+262639012345"), ("001", "+80012345678"),
        ]

        let deployment: Deployment
        let authenticator: Authenticator

        init() throws {
            deployment = try Deployment { $0.sendsPerNetworkPerHour = 1000 }
            authenticator = deployment.authenticator()
        }

        private func project(
            _ policy: SMSRegionPolicy,
            isPhoneSignInEnabled: Bool = true,
            sendsToUnassignedNumbers: Bool = true
        ) -> Project {
            Project(
                id: "demo-app",
                authorizedDomains: [],
                isPhoneSignInEnabled: isPhoneSignInEnabled,
                smsRegions: policy,
                sendsToUnassignedNumbers: sendsToUnassignedNumbers
            )
        }

        @Test("a list of one region concerns the numbers of that region alone", arguments: numbers)
        func matrix(region: String, number: String) throws {
            let named = try #require(Region(region))
            let allowlist = project(.allowlistOnly(allowed: [named]))
            let denylist = project(.allowByDefault(disallowed: [named]))
            for (client, (otherRegion, other)) in Self.numbers.enumerated() {
                let theirs = try #require(Region(otherRegion))
                let allowed = authenticator.send(to: other, client: client, in: allowlist)
                let denied = authenticator.send(to: other, client: 100 + client, in: denylist)
                if other == number {
                    #expect(allowed.outcome == .opened)
                    #expect(denied == .regionNotAllowed(.disallowed(named)))
                } else {
                    #expect(allowed == .regionNotAllowed(.notAllowed(theirs)))
                    #expect(denied.outcome == .opened)
                }
            }
        }

        @Test("a number without region is refused by an allow list, and else let through")
        func noRegion() throws {
            let us = try #require(Region("US"))
            let number = "+19995550100"
            let refused = authenticator.send(to: number, in: project(.allowlistOnly(allowed: [us])))
            #expect(refused == .regionNotAllowed(.noRegion))
            #expect(authenticator.send(to: number, in: project(.allowByDefault(disallowed: [us]))).outcome == .opened)
            #expect(authenticator.send(to: number, client: 2, in: project(.everywhere)).outcome == .opened)
        }

        @Test("by default nothing is sent to numbers that no region has assigned, nor to those of no country")
        func unassigned() throws {
            let byDefault = project(.everywhere, sendsToUnassignedNumbers: false)
            for number in ["+19995550100", "+4910000000"] {
                #expect(authenticator.send(to: number, in: byDefault) == .regionNotAllowed(.unassigned))
            }
            #expect(authenticator.send(to: "+80012345678", in: byDefault) == .regionNotAllowed(.nonGeographic))
            #expect(authenticator.send(to: "+16505550100", in: byDefault).outcome == .opened)
            let named = project(.allowlistOnly(allowed: [.nonGeographic]), sendsToUnassignedNumbers: false)
            #expect(authenticator.send(to: "+80012345678", in: named).outcome == .opened)
            try authenticator.setTestNumber(
                "+19995550100",
                code: try #require(VerificationCode("123456")),
                in: byDefault
            )
            #expect(authenticator.send(to: "+19995550100", in: byDefault).outcome == .testNumber)
        }

        @Test("a refused region is told before the app is asked for proof, and nothing is written")
        func order() throws {
            let strict = deployment.authenticator(appVerification: .required)
            let us = project(.allowlistOnly(allowed: [try #require(Region("US"))]))
            let jamaica = try #require(Region("JM"))
            #expect(strict.send(to: "+18765550123", in: us) == .regionNotAllowed(.notAllowed(jamaica)))
            #expect(strict.send(to: "+16505550100", in: us) == .notProven(.missing))
            #expect(strict.send(to: "nonsense", in: us) == .numberInvalid(.malformed))
            #expect(deployment.keyNames() == [])
        }

        @Test("the log's words name region and rule")
        func words() throws {
            let jamaica = try #require(Region("JM"))
            #expect("\(SMSRegionRefusal.notAllowed(jamaica))" == "region JM is not in the allow list")
            #expect("\(SMSRegionRefusal.disallowed(jamaica))" == "region JM is in the list of disallowed regions")
            #expect("\(SMSRegionRefusal.noRegion)" == "the number has no region, so it is not in the allow list")
        }

        @Test("a test number's region does not matter, but nobody signs in where phone sign-in is off")
        func testNumber() throws {
            let us = project(.allowlistOnly(allowed: [try #require(Region("US"))]))
            let number = "+18765550123"
            try authenticator.setTestNumber(number, code: try #require(VerificationCode("123456")), in: us)
            let session = try authenticator.session(for: number, in: us)
            let off = project(.everywhere, isPhoneSignInEnabled: false)
            #expect(authenticator.send(to: number, in: off) == .phoneSignInDisabled)
            #expect(authenticator.answer(session, "123456", request: "1", in: off) == .phoneSignInDisabled)
            #expect(authenticator.answer(session, "123456", request: "2", in: us).uid != nil)
        }

        @Test("where phone sign-in is off nothing is sent, proven or written, and sessions that are open are of no use")
        func phoneSignInDisabled() throws {
            let on = project(.everywhere)
            let off = project(.everywhere, isPhoneSignInEnabled: false)
            let session = try authenticator.session(for: "+16505550100", in: on)
            let code = try authenticator.code(of: session, in: on)
            let before = deployment.contents()
            let strict = deployment.authenticator(appVerification: .required)
            #expect(strict.send(to: "+16505550100", in: off) == .phoneSignInDisabled)
            #expect(strict.send(to: "nonsense", in: off) == .numberInvalid(.malformed))
            for answer in [code, "000000"] {
                #expect(strict.answer(session, answer, request: answer, in: off) == .phoneSignInDisabled)
            }
            #expect(deployment.contents() == before)
        }
    }
}
