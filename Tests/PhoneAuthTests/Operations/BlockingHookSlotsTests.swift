import Encodings
import Glibc
import RedisScripts
import Testing
import TestServers
import Threads

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Limits on the number of requests that wait for hooks, and on the time they wait.
    @Suite struct BlockingHookSlotsTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550185"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withHooks(hooks)
        }

        @Test("if a project's hook slots are full, its users get 503 and keep their code; other projects continue")
        func slots() throws {
            let hooks = TestHooks(maximum: 2, ofProject: 1)
            let (began, mayEnd) = (Semaphore(), Semaphore())
            hooks.answer { question in
                guard question.user.text("phone_number") == "+16505550187" else { return .allowed }
                began.signal()
                return mayEnd.wait(atMost: .seconds(60)) ? .allowed : .timedOut
            }
            let slow = try authenticator.in(project).answered("+16505550187")
            let request = try authenticator.in(project).answered(number)
            let outcomes = try inParallel(2) { [deployment, project, number] racer -> [SignInOutcome] in
                let authenticator = deployment.authenticator(hooks: hooks)
                if racer == 0 { return [authenticator.in(project).answer(slow)] }
                began.wait()
                defer { for _ in 0..<2 { mayEnd.signal() } }
                let another = Project(id: "another", authorizedDomains: [], blockingHooks: project.blockingHooks)
                let other = try authenticator.in(another).answered(number)
                return [authenticator.in(project).answer(request), authenticator.in(another).answer(other)]
            }
            #expect(outcomes[0][0].uid != nil)
            #expect(outcomes[1][0] == .hook(.busy))
            #expect(outcomes[1][1].uid != nil)
            #expect(authenticator.in(project).answer(request).uid != nil)
        }

        @Test("all hooks of a request together get at most 7 seconds, which do not reduce the time for Redis")
        func deadlines() throws {
            let slots = BlockingHookSlots(servingThreads: 16) { request in
                usleep(300_000)
                return request.deadline == BlockingHooks.deadline ? .allowed : .timedOut
            }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            let slot = try #require(slots.slot(in: "demo-app"))
            let first = slot.call(hook, [])
            #expect(first.duration >= .milliseconds(300))
            guard case .answered = first.reply, case .timedOut = slot.call(hook, []).reply else {
                Issue.record("the second call had all the time, too")
                return
            }
            let request = try authenticator.in(project).answered(number)
            let deadline = ContinuousClock.now + .seconds(6)
            hooks.answer { _ in
                _ = eventually { ContinuousClock.now > deadline }
                return .allowed
            }
            authenticator.setDeadline(deadline)
            #expect(authenticator.in(project).answer(request).uid != nil)
        }

        @Test(
            "half of the threads may wait for hooks, and a quarter for the hooks of one project",
            arguments: [1, 2, 4, 16]
        )
        func bounds(threads: Int) throws {
            let slots = BlockingHookSlots(servingThreads: threads) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var taken: [BlockingHookSlot] = []
            func take(in project: String) -> Bool {
                guard let slot = slots.slot(in: project) else { return false }
                _ = slot.call(hook, [])
                taken.append(slot)
                return true
            }
            while take(in: "a") {}
            #expect(taken.count == max(1, threads / 4) && !slots.hasRoom(in: "a"))
            while take(in: "project-\(taken.count)") {}
            #expect(taken.count == max(1, threads / 2))
            taken = []
            #expect(slots.slot(in: "a") != nil)
        }

        @Test(
            "sign-ups get half of a project's hook slots, passwords three quarters, and proven users all"
        )
        func shares() throws {
            let slots = BlockingHookSlots(servingThreads: 16) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var taken: [BlockingHookSlot] = []
            func take(_ share: BlockingHookShare) -> Int {
                var count = 0
                while let slot = slots.slot(in: "a", for: share) {
                    _ = slot.call(hook, [])
                    taken.append(slot)
                    count += 1
                }
                return count
            }
            #expect(take(.signUp) == 2)
            #expect(take(.password) == 1 && !slots.hasRoom(in: "a", for: .password))
            #expect(take(.proven) == 1)
            taken.removeFirst()
            #expect(take(.signUp) == 1, "all turns have come back")
            taken = []
            #expect(take(.proven) == 4)
            #expect(take(.signUp) == 0)
        }

        @Test("codes being verified take no slots from correct codes, and a project's slots are bounded")
        func verifying() throws {
            let slots = BlockingHookSlots(servingThreads: 16) { _ in .allowed }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            var guesses = (0..<2).compactMap { _ in slots.slot(in: "a") }
            var calling: [BlockingHookSlot] = []
            while calling.count < 4, let slot = slots.slot(in: "a") {
                _ = slot.call(hook, [])
                calling.append(slot)
            }
            #expect(guesses.count == 2 && calling.count == 4)
            #expect(slots.slot(in: "a") == nil && slots.slot(in: "b") != nil)
            calling.removeLast()
            #expect(slots.slot(in: "a") != nil)
            while let slot = slots.slot(in: "a") { guesses.append(slot) }
            #expect(guesses.count == 3)
        }
    }
}
