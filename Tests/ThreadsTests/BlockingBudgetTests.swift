import Testing
import Threads

@Suite struct BlockingBudgetTests {
    @Test(
        "from 7 threads on, at least one is never blocked by passwords, hooks or providers",
        arguments: [7, 8, 16, 512]
    )
    func sum(threads: Int) {
        let budget = BlockingBudget(servingThreads: threads)
        #expect(budget.passwordHashes + budget.blockingHooks + budget.challengeProviders < threads)
        #expect(budget.blockingHooksOfProject <= budget.blockingHooks)
    }

    @Test("16 threads get the documented shares, and a single thread gets what each wait needs")
    func numbers() {
        let budget = BlockingBudget(servingThreads: 16)
        #expect((budget.passwordHashes, budget.blockingHooks, budget.challengeProviders) == (5, 8, 2))
        let least = BlockingBudget(servingThreads: 1)
        #expect((least.passwordHashes, least.blockingHooks, least.challengeProviders) == (2, 1, 1))
    }
}
