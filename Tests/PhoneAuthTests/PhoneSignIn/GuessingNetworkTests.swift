import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    /// Wrong codes from the many networks of one IPv6 prefix, and for test numbers (brute force).
    @Suite struct GuessingNetworkTests {
        let deployment: Deployment
        let operation: OperationContext
        let number = "+16505550171"
        let testCode = "271828"

        init() throws {
            let authenticator: Authenticator
            (deployment, authenticator) = try Deployment.ofManyMessages { $0.sendsPerNetworkPerHour = 100_000 }
            operation = authenticator.in(deployment.project)
        }

        private var requests: OperationContext { operation.resumed() }

        /// Returns an address in a /64 of a /48.
        private func address(_ subnet: Int, of prefix: Int = 1) -> String {
            "2001:db8:\(String(prefix, radix: 16)):\(String(subnet, radix: 16))::1"
        }

        private func answer(_ code: String, from address: String, by client: Int = 1) throws -> SignInOutcome {
            let session = try #require(requests.send(to: number, client: client, address: address).sessionInfo)
            return requests.answer(session, code, request: "\(UInt64.random(in: 0 ... .max))")
        }

        private func wrongAnswer(from address: String) throws -> SignInOutcome {
            let session = try #require(requests.send(to: number, address: address).sessionInfo)
            let wrong = try requests.wrongCode(of: session)
            return requests.answer(session, wrong, request: "\(UInt64.random(in: 0 ... .max))")
        }

        private func setTestNumber() throws {
            try operation.setTestNumber(number, code: try #require(VerificationCode(testCode)))
        }

        /// Enters wrong codes of a test number from new /64s until one is refused, and returns how many were verified.
        private func guess(_ subnets: Range<Int>, of prefix: Int) throws -> Int {
            var verified = 0
            for subnet in subnets {
                for _ in 0..<5 {
                    guard case .wrong = try answer("000000", from: address(subnet % 65_536, of: prefix)) else {
                        return verified
                    }
                    verified += 1
                }
            }
            return verified
        }

        @Test("from all /64s of one /48, fewer than two hundred codes of a test number are verified in a day")
        func onePrefix() throws {
            try setTestNumber()
            var verified = 0
            for quarter in 0..<96 {
                verified += try guess(1000 * quarter..<1000 * quarter + 250, of: 1)
                deployment.clock.advance(by: .seconds(900))
            }
            #expect((40..<200).contains(verified), "\(verified)")
        }

        @Test("of all new clients, two hundred wrong codes of a test number are verified in any day")
        func manyPrefixes() throws {
            try setTestNumber()
            let owner = "192.0.2.1"
            #expect(try answer(testCode, from: owner).uid != nil)
            var verified: [Int] = []
            for hour in 0..<50 {
                var inHour = 0
                for prefix in 0..<8 { inHour += try guess(0..<4, of: 8 * hour + prefix) }
                verified.append(inHour)
                // Known clients are verified, and their correct code does not reset the count.
                #expect(try answer(testCode, from: owner).uid != nil)
                deployment.clock.advance(by: .seconds(3600))
            }
            for hour in 0...verified.count - 24 { #expect(verified[hour..<hour + 24].reduce(0, +) <= 200) }
            #expect(verified.reduce(0, +) > 400)
        }

        @Test("the code of a new client is not verified after a day's wrong codes, right or wrong")
        func noOracle() throws {
            try setTestNumber()
            for prefix in 0..<10 { #expect(try guess(0..<4, of: prefix) == 20) }
            let expected = SignInOutcome.blocked(isOfClient: false, retryAfter: .seconds(86_400))
            for code in [testCode, "000000"] { #expect(try answer(code, from: address(0, of: 99)) == expected) }
            let limits = try operation.limits(of: number)
            #expect(limits.wrongTestCodesOfNewClients.events == 200)
            #expect(limits.wrongTestCodesOfNewClients.limit.window.maximum == 200)
            #expect(try operation.resetLimits(of: number).hadAny)
            #expect(try answer(testCode, from: address(0, of: 99)).uid != nil)
        }

        @Test("a client that knew a former code of a test number is a new client for the next one")
        func formerCode() throws {
            try setTestNumber()
            let (former, elsewhere) = ("192.0.2.1", "192.0.2.2")
            let session = try #require(requests.send(to: number, address: former).sessionInfo)
            let account = try requests.signIn(session, testCode, request: "former")
            for isRemoved in [false, true] {
                if isRemoved { #expect(try operation.removeTestNumber(number)) }
                let code = isRemoved ? "314159" : "161803"
                try operation.setTestNumber(number, code: try #require(VerificationCode(code)))
                for prefix in 0..<10 { #expect(try guess(0..<4, of: prefix) == 20) }
                let expected = SignInOutcome.blocked(isOfClient: false, retryAfter: .seconds(86_400))
                for code in [code, "000000"] {
                    #expect(try answer(code, from: former) == expected)
                    // Nor does the test number's account help, whose user knew the former code.
                    let session = try #require(requests.send(to: number, address: elsewhere).sessionInfo)
                    let link = SignInWithPhoneNumberRequest(
                        .code(sessionInfo: session, code: code),
                        idToken: account.idToken
                    )
                    #expect(requests.answer(link, request: "link-\(code)-\(isRemoved)") == expected)
                }
                #expect(try operation.resetLimits(of: number).hadAny)
            }
        }

        @Test("a test number that is set to the same code again keeps its known clients")
        func sameCode() throws {
            try setTestNumber()
            #expect(try answer(testCode, from: "192.0.2.1").uid != nil)
            try setTestNumber()
            for prefix in 0..<10 { #expect(try guess(0..<4, of: prefix) == 20) }
            #expect(try answer(testCode, from: "192.0.2.1").uid != nil)
        }

        @Test("after ten wrong codes a /64 waits, after twenty its /56, after forty its /48, and no other network")
        func widerNetworks() throws {
            let second = SignInOutcome.blocked(isOfClient: true, retryAfter: .seconds(1))
            func exhaust(_ subnet: Int, _ count: Int) throws {
                for _ in 0..<count {
                    guard case .wrong = try wrongAnswer(from: address(subnet)) else {
                        return #expect(Bool(false), "\(subnet)")
                    }
                }
            }
            try exhaust(0, 10)
            #expect(try wrongAnswer(from: address(0)) == second)
            try exhaust(1, 10)
            #expect(try wrongAnswer(from: address(2)) == second)
            for subnet in 0..<4 { try exhaust(0x100 + subnet, 5) }
            #expect(try wrongAnswer(from: address(0x104)) == second)
            #expect(try wrongAnswer(from: address(0x200)) == second)
            #expect(try operation.limits(of: number).wrongCodes.clientsWaitUntil.count == 5)
            guard case .wrong = try wrongAnswer(from: address(0, of: 2)) else { return #expect(Bool(false)) }
        }

        @Test("the number's owner does not wait for wrong codes from other /64s of the same /48")
        func ownersNetwork() throws {
            let owner = address(0x500)
            func ownersAnswer() throws -> SignInOutcome {
                let session = try #require(requests.send(to: number, address: owner).sessionInfo)
                return requests.answer(session, try requests.code(of: session), request: session)
            }
            #expect(try ownersAnswer().uid != nil)
            for subnet in 0..<8 { for _ in 0..<5 { _ = try wrongAnswer(from: address(subnet)) } }
            #expect(try wrongAnswer(from: address(9)) == .blocked(isOfClient: true, retryAfter: .seconds(1)))
            #expect(try ownersAnswer().uid != nil)
        }
    }
}
