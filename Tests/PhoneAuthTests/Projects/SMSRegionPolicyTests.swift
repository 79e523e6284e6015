import PhoneAuth
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    @Suite struct SMSRegionPolicyTests {
        /// One number per region: of calling codes that several regions share, and of one without a region.
        static let numbers: [(region: String, number: String)] = [
            ("US", "+16505550100"), ("CA", "+14165550123"), ("JM", "+18765550123"), ("DO", "+18095550123"),
            ("PR", "+17875550123"), ("RU", "+79261234567"), ("KZ", "+77012345678"), ("GB", "+447400123456"),
            ("JE", "+447797712345"), ("GG", "+447911123456"), ("IM", "+447624012345"), ("CW", "+59995181234"),
            ("BQ", "+5993181234"), ("RE", "+262692123456"), ("YT", "+262639012345"), ("001", "+80012345678"),
            ("ET", "+251712345678"), ("BJ", "+2290195123456"),
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
            unassignedNumbers: UnassignedNumbers = .allowed
        ) -> Project {
            Project(
                id: "demo-app",
                authorizedDomains: [],
                isPhoneSignInEnabled: isPhoneSignInEnabled,
                smsRegions: policy,
                unassignedNumbers: unassignedNumbers
            )
        }

        @Test("a list of one region applies only to that region's numbers", arguments: numbers)
        func matrix(region: String, number: String) throws {
            let named = try #require(Region(region))
            let allowlist = project(.allowlistOnly(allowed: [named]))
            let denylist = project(.allowByDefault(disallowed: [named]))
            for (client, (otherRegion, other)) in Self.numbers.enumerated() {
                let theirs = try #require(Region(otherRegion))
                let allowed = authenticator.in(allowlist).send(to: other, client: client)
                let denied = authenticator.in(denylist).send(to: other, client: 100 + client)
                if other == number {
                    #expect(allowed.outcome == .opened)
                    #expect(denied == .regionNotAllowed(.disallowed(named)))
                } else {
                    #expect(allowed == .regionNotAllowed(.notAllowed(theirs)))
                    #expect(denied.outcome == .opened)
                }
            }
        }

        @Test("a number that the numbering data do not know counts as the main region of its calling code")
        func unknown() throws {
            let (us, jamaica) = (try #require(Region("US")), try #require(Region("JM")))
            let number = "+19995550100"
            for rule in [UnassignedNumbers.challenged, .allowed] {
                let onlyJamaica = project(.allowlistOnly(allowed: [jamaica]), unassignedNumbers: rule)
                #expect(authenticator.in(onlyJamaica).send(to: number) == .regionNotAllowed(.notAllowed(us)))
                let notUS = project(.allowByDefault(disallowed: [us]), unassignedNumbers: rule)
                #expect(authenticator.in(notUS).send(to: number) == .regionNotAllowed(.disallowed(us)))
            }
            let onlyUS = project(.allowlistOnly(allowed: [us]), unassignedNumbers: .challenged)
            #expect(authenticator.in(onlyUS).send(to: number).outcome == .opened)
            let notJamaica = project(.allowByDefault(disallowed: [jamaica]), unassignedNumbers: .challenged)
            #expect(authenticator.in(notJamaica).send(to: number, client: 2).outcome == .opened)
        }

        @Test("unknown numbers are sent to by default, and refused if the project says so")
        func unassigned() throws {
            let byDefault = Project(id: "demo-app", authorizedDomains: [])
            let refusing = project(.everywhere, unassignedNumbers: .refused)
            for number in ["+19995550100", "+4910000000"] {
                #expect(authenticator.in(byDefault).send(to: number).outcome == .opened)
                #expect(authenticator.in(refusing).send(to: number, client: 2) == .regionNotAllowed(.unassigned))
            }
            #expect(authenticator.in(refusing).send(to: "+16505550100").outcome == .opened)
            try authenticator.in(refusing).setTestNumber("+19995550101", code: try #require(VerificationCode("271828")))
            #expect(authenticator.in(refusing).send(to: "+19995550101").outcome == .testNumber)
        }

        @Test("nothing is sent to numbers of no country unless they are listed or allowed")
        func nonGeographic() throws {
            let number = "+80012345678"
            for rule in [UnassignedNumbers.challenged, .refused] {
                let everywhere = project(.everywhere, unassignedNumbers: rule)
                #expect(authenticator.in(everywhere).send(to: number) == .regionNotAllowed(.nonGeographic))
            }
            let named = project(.allowlistOnly(allowed: [.nonGeographic]), unassignedNumbers: .challenged)
            #expect(authenticator.in(named).send(to: number).outcome == .opened)
        }

        @Test("a region is refused before the app is verified, and nothing is written")
        func order() throws {
            let strict = deployment.authenticator(appVerification: .required)
            let us = project(.allowlistOnly(allowed: [try #require(Region("US"))]))
            let jamaica = try #require(Region("JM"))
            #expect(strict.in(us).send(to: "+18765550123") == .regionNotAllowed(.notAllowed(jamaica)))
            #expect(strict.in(us).send(to: "+16505550100") == .notProven(.missing))
            #expect(strict.in(us).send(to: "nonsense") == .numberInvalid(.malformed))
            #expect(deployment.keyNames() == [])
        }

        @Test("the log names the region and the rule")
        func words() throws {
            let jamaica = try #require(Region("JM"))
            #expect("\(SMSRegionRefusal.notAllowed(jamaica))" == "region JM is not in the allow list")
            #expect("\(SMSRegionRefusal.disallowed(jamaica))" == "region JM is in the list of disallowed regions")
        }

        @Test("a test number is allowed in any region, but cannot sign in if phone sign-in is disabled")
        func testNumber() throws {
            let us = project(.allowlistOnly(allowed: [try #require(Region("US"))]))
            let number = "+18765550123"
            try authenticator.in(us).setTestNumber(number, code: try #require(VerificationCode("271828")))
            let session = try authenticator.in(us).session(for: number)
            let off = project(.everywhere, isPhoneSignInEnabled: false)
            #expect(authenticator.in(off).send(to: number) == .phoneSignInDisabled)
            #expect(authenticator.in(off).answer(session, "271828", request: "1") == .phoneSignInDisabled)
            #expect(authenticator.in(us).answer(session, "271828", request: "2").uid != nil)
        }

        @Test("if phone sign-in is disabled, nothing is sent or proven, and open sessions are useless")
        func phoneSignInDisabled() throws {
            let on = project(.everywhere)
            let off = project(.everywhere, isPhoneSignInEnabled: false)
            let session = try authenticator.in(on).session(for: "+16505550100")
            let code = try authenticator.in(on).code(of: session)
            let before = deployment.lastingContents()
            let strict = deployment.authenticator(appVerification: .required)
            #expect(strict.in(off).send(to: "+16505550100") == .phoneSignInDisabled)
            #expect(strict.in(off).send(to: "nonsense") == .numberInvalid(.malformed))
            for answer in [code, "000000"] {
                #expect(strict.in(off).answer(session, answer, request: answer) == .phoneSignInDisabled)
            }
            #expect(deployment.lastingContents() == before)
        }
    }
}
