import Encodings
import Glibc
import RedisStore
import TestServers
import Testing
import Threads

@testable import PhoneAuth

extension PhoneAuthTests {
    /// How many requests may wait for hooks, and for how long.
    @Suite struct BlockingHookTurnTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550185"

        init() throws {
            deployment = try Deployment { policy in
                policy.sendsPerNumberPerHour = 1000
                policy.sendsPerNumberPerDay = 1000
                policy.sendsPerNetworkPerHour = 1000
            }
            authenticator = deployment.authenticator(hooks: hooks)
            project = deployment.project(with: try .example())
        }

        @Test("beyond the turns of a project its users are told to come later, with the same code; others go on")
        func turns() throws {
            let hooks = TestHooks(maximum: 2, ofProject: 1)
            let (began, mayEnd) = (Semaphore(), Semaphore())
            hooks.answer { question in
                guard question.user.text("phone_number") == "+16505550187" else { return .allowed }
                began.signal()
                return mayEnd.wait(atMost: .seconds(60)) ? .allowed : .timedOut
            }
            let slow = try authenticator.answered("+16505550187", in: project)
            let request = try authenticator.answered(number, in: project)
            let outcomes = try inParallel(2) { [deployment, project, number] racer -> [SignInOutcome] in
                let authenticator = deployment.authenticator(hooks: hooks)
                if racer == 0 { return [authenticator.answer(slow, in: project)] }
                began.wait()
                defer { for _ in 0..<2 { mayEnd.signal() } }
                let another = Project(id: "another", authorizedDomains: [], blockingHooks: project.blockingHooks)
                let other = try authenticator.answered(number, in: another)
                return [authenticator.answer(request, in: project), authenticator.answer(other, in: another)]
            }
            #expect(outcomes[0][0].uid != nil)
            #expect(outcomes[1][0] == .hook(.busy))
            #expect(outcomes[1][1].uid != nil)
            #expect(authenticator.answer(request, in: project).uid != nil)
        }

        @Test("hooks take 7 seconds of a request at most, all together, and their time is not Redis's")
        func deadlines() throws {
            let turns = BlockingHookTurns(servingThreads: 16) { request in
                usleep(300_000)
                return request.deadline == Policy.blockingHookDeadline ? .allowed : .timedOut
            }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            let turn = try #require(turns.turn(in: "demo-app"))
            let first = turn.call(hook, [])
            #expect(first.duration >= .milliseconds(300))
            guard case .answered = first.reply, case .timedOut = turn.call(hook, []).reply else {
                Issue.record("the second call had all the time, too")
                return
            }
            hooks.answer { _ in
                usleep(1_600_000)
                return .allowed
            }
            let request = try authenticator.answered(number, in: project)
            authenticator.setDeadline(.now + .seconds(3))
            #expect(authenticator.answer(request, in: project).uid != nil)
        }

        @Test(
            "half of the threads may wait for hooks, and a quarter for those of one project",
            arguments: [1, 2, 4, 16]
        )
        func bounds(threads: Int) throws {
            let turns = BlockingHookTurns(servingThreads: threads) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var taken: [BlockingHookTurn] = []
            func take(in project: String) -> Bool {
                guard let turn = turns.turn(in: project) else { return false }
                _ = turn.call(hook, [])
                taken.append(turn)
                return true
            }
            while take(in: "a") {}
            #expect(taken.count == max(1, threads / 4) && !turns.hasRoom(in: "a"))
            while take(in: "project-\(taken.count)") {}
            #expect(taken.count == max(1, threads / 2))
            taken = []
            #expect(turns.turn(in: "a") != nil)
        }

        @Test(
            "sign-ups take half of a project's turns, passwords three quarters, and the rest is for those who have proven more"
        )
        func shares() throws {
            let turns = BlockingHookTurns(servingThreads: 16) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var taken: [BlockingHookTurn] = []
            func take(_ share: BlockingHookShare) -> Int {
                var count = 0
                while let turn = turns.turn(in: "a", for: share) {
                    _ = turn.call(hook, [])
                    taken.append(turn)
                    count += 1
                }
                return count
            }
            #expect(take(.signUp) == 2)
            #expect(take(.password) == 1 && !turns.hasRoom(in: "a", for: .password))
            #expect(take(.proven) == 1)
            taken.removeFirst()
            #expect(take(.signUp) == 1, "all turns have come back")
            taken = []
            #expect(take(.proven) == 4)
            #expect(take(.signUp) == 0)
        }

        @Test("answers that are being verified take no turn from correct ones, and all turns of a project have a bound")
        func verifying() throws {
            let turns = BlockingHookTurns(servingThreads: 16) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var guesses = (0..<2).compactMap { _ in turns.turn(in: "a") }
            var calling: [BlockingHookTurn] = []
            while calling.count < 4, let turn = turns.turn(in: "a") {
                _ = turn.call(hook, [])
                calling.append(turn)
            }
            #expect(guesses.count == 2 && calling.count == 4)
            #expect(turns.turn(in: "a") == nil && turns.turn(in: "b") != nil)
            calling.removeLast()
            #expect(turns.turn(in: "a") != nil)
            while let turn = turns.turn(in: "a") { guesses.append(turn) }
            #expect(guesses.count == 3)
        }
    }
}
