import Encodings
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// A deployment on a Redis Cluster.
@Suite(.serialized, .tags(.load)) struct ClusterDeploymentTests {
    @Test("users sign in again soon after a master was killed, and no account is lost")
    func killedMaster() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true, nodeTimeoutMilliseconds: 2000)
        let server = try RunningServer(
            settings: [
                "REDIS_ADDRESS": "redis+cluster://\(cluster.list)", "REDIS_REPLICAS_BEFORE_ANSWER": "1",
                "SENDS_PER_NUMBER_PER_HOUR": "1000", "SENDS_PER_NUMBER_PER_DAY": "1000",
            ],
            redis: cluster.masters[0]
        )
        var users: [String: String] = [:]
        func signIn(_ number: String) -> Bool {
            guard let response = try? server.signInFresh(number), response.status == 200 else { return false }
            users[number] = response["localId"]
            return true
        }
        for number in 200..<212 { #expect(eventually { signIn("+16505550\(number)") }) }
        // A loaded machine can cause failovers before the kill.
        #expect(eventually { cluster.servers.allSatisfy { $0.cli("DBSIZE") != "0" } })
        let former = users
        let pair = [cluster.masters[1], cluster.replicas[1]]
        let (killed, successor) = cluster.isMaster(pair[0]) ? (pair[0], pair[1]) : (pair[1], pair[0])
        killed.kill()
        #expect(eventually { cluster.isMaster(successor) })
        // The restarted server becomes a replica and confirms its successor's changes.
        try killed.restart()
        var number = 300
        let isServing = eventually(within: .seconds(90), every: .milliseconds(200)) {
            number = number == 999 ? 300 : number + 1
            return signIn("+16505550\(number)")
        }
        #expect(isServing, "\(server.log.suffix(2000))")
        // The same users sign in, whichever nodes have their data.
        for (number, user) in former {
            #expect(eventually(every: .milliseconds(200)) { signIn(number) })
            #expect(users[number] == user)
        }
        let diagnosis = try server.dialtone("doctor", "--all")
        #expect(diagnosis.output.contains("tcp:127.0.0.1:\(successor.port)\n"), "\(diagnosis.output)")
        #expect(diagnosis.output.contains("ok      slots: all 16384 have a master"))
        #expect(server.runningWorkers.count == 2)
    }

    @Test("under its key a client gets the lost answer again, and without a key a used code is rejected")
    func lostAnswer() async throws {
        let cluster = try await RedisCluster.start()
        let server = try RunningServer(
            settings: ["REDIS_ADDRESS": "redis+cluster://\(cluster.list)"],
            redis: cluster.masters[0]
        )
        let request = try server.preparedAnswer("+16505550101")
        func keyed(_ key: String) throws -> HTTPAnswer {
            try RunningServer.$clientHeaders.withValue([("Idempotency-Key", key)], operation: request)
        }
        let first = try keyed("0123456789abcdef")
        #expect(first.status == 200)
        #expect(try keyed("0123456789abcdef")["refreshToken"] == first["refreshToken"])
        #expect(try keyed("fedcba9876543210").errorMessage == "SESSION_EXPIRED")
        #expect(try request().errorMessage == "SESSION_EXPIRED")
        #expect(try keyed("short").status == 400)
    }

    @Test("while a master without a replica is down, users on other nodes are served, and later its messages are sent")
    func lostMaster() async throws {
        let cluster = try await RedisCluster.start(
            isPersistent: true,
            nodeTimeoutMilliseconds: 2000,
            settings: ["cluster-require-full-coverage no"]
        )
        let deployment = try await clusterDeployment(cluster)
        let server = deployment.server
        let dispatcher = try server.startDispatcher()
        let numbers = (200..<224).map { "+16505550\($0)" }
        var users: [String: String] = [:]
        for number in numbers {
            let session = try server.openVerification(number)
            #expect(eventually { deployment.codes(to: number).count == 1 })
            let response = try server.signIn(session, deployment.codes(to: number).last ?? "")
            try #require(response.status == 200, "\(response.errorMessage ?? "")")
            users[number] = response["localId"]
        }
        #expect(eventually { deployment.queued == 0 })

        // Each project has one slot for all that concerns its messages; users are divided among all nodes.
        let (lost, heir) = (cluster.masters[1], cluster.masters[0])
        cluster.moveSharedKeys(from: lost, to: heir)
        let lostKeys = lost.keys()
        let lostClaims = lostKeys.filter { $0.contains(":phone:") }.map { lost.cli("GET", $0) }
        let (unservable, servable) = numbers.partitioned { number in
            guard let user = users[number] else { return false }
            return lostClaims.contains { $0.contains(user) }
                || lostKeys.contains { $0.contains(":user:") && $0.hasSuffix(":\(user)") }
        }
        try #require(!unservable.isEmpty && servable.count >= 3)
        var sessions: [String: String] = [:]
        var sent = 1
        /// Opens a session for a number. On a busy machine, the nodes may consider another one failed for a moment.
        func openVerification(_ number: String) {
            let isSent = eventually(every: .milliseconds(100)) {
                sessions[number] = try? server.openVerification(number)
                return sessions[number] != nil
            }
            #expect(isSent)
        }
        /// Opens a session for each number. All messages are waiting when the master fails.
        func sendToAll(until master: RedisServer) {
            halt(dispatcher.processID)
            for number in numbers { openVerification(number) }
            master.kill()
            dispatcher.send(SIGCONT)
            sent += 1
        }
        func signIn(_ number: String) throws -> HTTPAnswer {
            try server.signIn(sessions[number] ?? "", deployment.codes(to: number).last ?? "")
        }

        sendToAll(until: lost)
        #expect(eventually { numbers.allSatisfy { deployment.codes(to: $0).count == sent } })
        for number in servable {
            let response = try signIn(number)
            #expect(response.status == 200 && response["localId"] == users[number], "\(response.errorMessage ?? "")")
        }
        // Sign-ins still work after the other nodes have detected the failure.
        #expect(eventually { heir.cli("CLUSTER", "NODES").contains("master,fail ") })
        for number in servable.prefix(3) {
            openVerification(number)
            #expect(eventually { deployment.codes(to: number).count == sent + 1 })
            #expect(try eventually(every: .milliseconds(100)) { try signIn(number)["localId"] == users[number] })
        }
        let scrape = try server.scrape()
        #expect(scrape["dialtone_redis_up"] == 1)
        #expect(scrape.names.isSuperset(of: ["dialtone_outbox_items", "dialtone_outbox_oldest_age_seconds"]))

        try lost.restart()
        for number in unservable {
            var response = try signIn(number)
            // Some threads of a worker may find the restarted master later than a dispatcher does.
            _ = try eventually(every: .milliseconds(200)) {
                if response.status == 503 { response = try signIn(number) }
                return response.status != 503
            }
            #expect(response.status == 200 && response["localId"] == users[number], "\(response.errorMessage ?? "")")
        }

        // The project's messages wait until its own master is back.
        sendToAll(until: heir)
        #expect(try server.sendVerificationCode("+16505550299").status == 503)
        try heir.restart()
        func messages(to number: String) -> Int { sent + (servable.prefix(3).contains(number) ? 1 : 0) }
        #expect(eventually { numbers.allSatisfy { deployment.codes(to: $0).count >= messages(to: $0) } })
        #expect(eventually(every: .milliseconds(100)) { deployment.queued == 0 })
        for number in numbers {
            #expect(deployment.codes(to: number).count == messages(to: number))
            #expect(!server.log.contains(number.dropFirst(2)))
        }
    }

    @Test("users sign in while slots move between masters, and keep their accounts")
    func movedSlots() async throws {
        let cluster = try await RedisCluster.start()
        let deployment = try await clusterDeployment(cluster)
        let server = deployment.server
        try server.startDispatcher()
        let numbers = (300..<330).map { "+16505550\($0)" }
        let users = Mutex<[String: String]>([:])
        let sessions = Mutex<Set<String>>([])
        let failures = Mutex<[String]>([])
        /// Signs in as a client that repeats a request for a code after 503, but not a sign-in.
        @Sendable func signIn(_ number: String, from address: String = "127.0.0.1") throws {
            let before = deployment.codes(to: number).count
            var sending = try server.sendVerificationCode(number, from: address)
            for _ in 0..<20 where sending.status == 503 {
                sending = try server.sendVerificationCode(number, from: address)
            }
            guard let session = sending["sessionInfo"] else {
                return failures.withLock { $0.append("send: \(sending.status) \(sending.errorMessage ?? "")") }
            }
            // After a sign-in that got 503, the next request returns the earlier session and sends no message.
            if sessions.withLock({ $0.insert(session).inserted }) {
                #expect(eventually { deployment.codes(to: number).count > before })
            }
            let response = try server.signIn(session, deployment.codes(to: number).last ?? "")
            guard let user = response["localId"] else {
                return failures.withLock { $0.append("sign-in: \(response.status) \(response.errorMessage ?? "")") }
            }
            let former = users.withLock { $0.updateValue(user, forKey: number) }
            #expect(former == nil || former == user)
        }
        let isOver = Atomic(false)
        let counts = try inParallel(4) { racer in
            if racer == 0 {
                defer { isOver.store(true, ordering: .releasing) }
                for move in 0..<15 {
                    let (source, target) = (cluster.masters[move % 3], cluster.masters[(move + 1) % 3])
                    guard let key = source.keys().randomElement() else { continue }
                    cluster.move(cluster.slot(ofKey: key), from: source, to: target)
                }
                return 0
            }
            var count = 0
            while count < 10 || !isOver.load(ordering: .acquiring) {
                try signIn(numbers[(racer - 1) * 10 + count % 10])
                count += 1
            }
            return count
        }
        let refusals = failures.withLock { $0 }
        #expect(refusals.allSatisfy { $0.contains(": 503 ") }, "\(refusals)")
        #expect(refusals.count < counts.reduce(0, +) / 2)
        // A client in another network has a separate session, whatever happened to the earlier ones.
        for number in numbers { try signIn(number, from: "203.0.113.9") }
        #expect(failures.withLock { $0 } == refusals)
        #expect(users.withLock { $0.count } == numbers.count)
        let accounts = cluster.masters.map { master in master.keys().filter { $0.contains(":user:") }.count }
        #expect(accounts.reduce(0, +) == numbers.count)
    }

    private func clusterDeployment(_ cluster: RedisCluster) async throws -> MessageDeployment {
        try await MessageDeployment.start(
            routes: "*=first",
            settings: [
                "REDIS_ADDRESS": "redis+cluster://\(cluster.list)", "SENDS_PER_NUMBER_PER_HOUR": "1000",
                "SENDS_PER_NUMBER_PER_DAY": "1000",
            ],
            workers: 2,
            redis: cluster.masters[0]
        )
    }
}

extension MessageDeployment {
    /// Returns the codes that the first gateway received for a number, oldest first.
    fileprivate func codes(to number: String) -> [String] {
        Self.messages(first).filter { $0.to == number }.map { $0.text.filter { ("0"..."9").contains($0) } }
    }
}

extension [String] {
    /// Returns the elements that fulfill a condition, and the others.
    fileprivate func partitioned(by isFirst: (String) -> Bool) -> ([String], [String]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}

extension RedisServer {
    fileprivate func keys() -> [String] { cli("KEYS", "dt:*").split(whereSeparator: \.isNewline).map(String.init) }
}

extension RedisCluster {
    /// Moves the keys of projects and of the deployment, but not those of a user or a device.
    fileprivate func moveSharedKeys(from source: RedisServer, to target: RedisServer) {
        let shared = source.keys().filter { key in
            let tag = key.dropFirst("dt:{".count).prefix { $0 != "}" }
            return tag.dropFirst().first != "/"
        }
        for slot in Set(shared.map(slot(ofKey:))) {
            move(slot, from: source, to: target)
            #expect(waitForMaster(target, of: slot))
        }
    }
}
