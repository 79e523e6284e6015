import GatewayStandIn
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// Floods from many networks, which no limit per network stops. Users can sign in nevertheless.
@Suite struct ReservedShareTests {
    private static func address(_ index: Int) -> String { "10.\(index >> 16 & 255).\(index >> 8 & 255).\(index & 255)" }

    private static func post(
        _ server: RunningServer,
        _ operation: String,
        _ email: String,
        from address: String
    ) throws -> HTTPAnswer {
        try server.post(
            "/v1/accounts:\(operation)",
            #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#,
            from: address
        )
    }

    @Test(
        "85 users with a password sign in while sign-ins and sign-ups from many networks flood the queue",
        .timeLimit(.minutes(30))
    )
    func passwords() throws {
        // On a loaded machine, a hash may take seconds.
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled", "REQUEST_DEADLINE_SECONDS": "60"]
        )
        let users = (0..<17).map { (email: "user\($0)@example.com", address: "192.0.2.\($0 + 1)") }
        for user in users {
            #expect(try Self.post(server, "signUp", user.email, from: user.address).status == 200)
        }
        let isOver = Atomic(false)
        let refused = Atomic(0)
        let flooders = 12
        let results = try inParallel(flooders + 1) { number -> [Int] in
            if number == flooders {
                // All places are taken when the users arrive.
                _ = eventually { refused.load(ordering: .relaxed) > 0 }
                defer { isOver.store(true, ordering: .relaxed) }
                var statuses: [Int] = []
                for _ in 0..<5 {
                    for user in users {
                        statuses.append(
                            try Self.post(server, "signInWithPassword", user.email, from: user.address).status
                        )
                    }
                }
                return statuses
            }
            var index = number
            while !isOver.load(ordering: .relaxed) {
                let operation = index % 2 == 0 ? "signInWithPassword" : "signUp"
                let answer = try Self.post(server, operation, "x\(index)@example.com", from: Self.address(index))
                if answer.status == 503 { refused.add(1, ordering: .relaxed) }
                index += flooders
            }
            return []
        }
        #expect(results[flooders].count == 85)
        #expect(results[flooders].allSatisfy { $0 == 200 }, "\(results[flooders].filter { $0 != 200 })")
        #expect(refused.load(ordering: .relaxed) > 0)
    }

    @Test("sign-ups with invented addresses and hanging hooks leave hook slots for sign-ins by phone")
    func hooks() async throws {
        let deployment = try await HookDeployment.start(settings: ["REQUEST_DEADLINE_SECONDS": "60"])
        let server = deployment.server
        let answer = try deployment.answer("+16505550141")
        deployment.hooks.always(.silence)
        let answered = Atomic(0)
        let statuses = try inParallel(5) { number -> Int in
            if number == 4 {
                // Each sign-up waits for a hook or has been refused.
                _ = eventually {
                    deployment.hooks.requests.count + answered.load(ordering: .relaxed) >= 4
                }
                deployment.hooks.always(.answer(200, "{}"))
                return try server.signIn(answer.session, answer.code).status
            }
            defer { answered.add(1, ordering: .relaxed) }
            return try Self.post(server, "signUp", "x\(number)@example.com", from: Self.address(number)).status
        }
        #expect(statuses[4] == 200)
        #expect(statuses[..<4].filter { $0 == 503 }.count == 2, "\(statuses)")
    }

    @Test("threads that hash passwords have a lower priority than serving threads")
    func priority() throws {
        let server = try RunningServer(workers: 1)
        let worker = try #require(server.runningWorkers.first).processID
        func niceness() throws -> [String: Set<Int>] {
            var niceness: [String: Set<Int>] = [:]
            for thread in try folderEntries("/proc/\(worker)/task") {
                let fields = readFile("/proc/\(worker)/task/\(thread)/stat")
                guard let name = fields.split(separator: "(").last?.split(separator: ")").first else { continue }
                let rest = fields.split(separator: ")").last?.split(separator: " ") ?? []
                guard rest.count > 16, let value = Int(rest[16]) else { continue }
                niceness[name.hasPrefix("password") ? "passwords" : "others", default: []].insert(value)
            }
            return niceness
        }
        // Each thread lowers its own priority when it starts.
        var found: [String: Set<Int>] = [:]
        let isLower = try eventually {
            found = try niceness()
            guard let ofPasswords = found["passwords"]?.min(), let ofOthers = found["others"]?.min() else {
                return false
            }
            return ofPasswords > ofOthers
        }
        #expect(isLower, "\(found)")
    }
}

private func folderEntries(_ path: String) throws -> [String] {
    let folder = try #require(opendir(path))
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.allSatisfy(\.isNumber) { names.append(name) }
    }
    return names
}
