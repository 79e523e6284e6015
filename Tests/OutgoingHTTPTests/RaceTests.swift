import Testing

@testable import OutgoingHTTP

@Suite struct RaceTests {
    @Test("work that ends in time gives its result")
    func finished() async {
        guard case .finished(7) = await race(within: .seconds(60), { 7 }) else {
            Issue.record("no result")
            return
        }
    }

    @Test("work that never ends, not even when it is cancelled, costs the deadline and no more")
    func timedOut() async {
        let never = FirstResult<Void>()
        let begin = ContinuousClock.now
        let result = await race(within: .milliseconds(100)) { await never.value() }
        guard case .timedOut = result else {
            Issue.record("\(result)")
            return
        }
        #expect(ContinuousClock.now - begin >= .milliseconds(100))
        never.settle(())
    }

    @Test("the loser is cancelled")
    func loser() async {
        let cancelled = FirstResult<Void>()
        _ = await race(within: .milliseconds(10)) {
            try? await Task.sleep(for: .seconds(600))
            cancelled.settle(())
        }
        await cancelled.value()
    }

    @Test("who is cancelled waits no longer")
    func cancelled() async {
        let begun = FirstResult<Void>()
        let never = FirstResult<Void>()
        let task = Task {
            await race(within: .seconds(600)) {
                begun.settle(())
                await never.value()
            }
        }
        await begun.value()
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("waited on")
            return
        }
        never.settle(())
    }

    @Test("of several results the first counts, whether it was waited for already or not", arguments: [false, true])
    func firstResult(isAwaited: Bool) async {
        let first = FirstResult<Int>()
        let waiting = Task { await first.value() }
        if isAwaited { await Task.yield() }
        for number in 1...3 { first.settle(number) }
        #expect(await waiting.value == 1)
    }
}
