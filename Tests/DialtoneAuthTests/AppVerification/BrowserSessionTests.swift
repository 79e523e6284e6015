import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// Challenge pages in a browser session of the system, which the tests mock.
@Suite struct BrowserSessionTests {
    @MainActor final class Session: BrowserSession {
        let starts: Bool
        var events: [String] = []

        init(starts: Bool = true) { self.starts = starts }

        func start() -> Bool {
            events.append("start")
            return starts
        }

        func cancel() { events.append("cancel") }
    }

    private let ends = Mutexed<[BrowserSessionPresenter.End]>([])
    private let link = URL(fileURLWithPath: "/link")

    private func presenter(_ session: Session?) -> BrowserSessionPresenter {
        BrowserSessionPresenter { [ends] _, _, end in
            ends.with { $0.append(end) }
            return session
        }
    }

    private func present(_ session: Session?) async throws -> URL {
        try await presenter(session).present(URL(fileURLWithPath: "/page"), callbackScheme: "app")
    }

    @Test("the page's link is the result, and later links are ignored")
    @MainActor func ended() async throws {
        let session = Session()
        async let result = present(session)
        #expect(await waitUntil { @Sendable in !ends.with { $0.isEmpty } })
        let end = try #require(ends.with { $0.first })
        end(.success(link))
        end(.failure(CancellationError()))
        #expect(try await result == link)
        #expect(session.events == ["start"])
    }

    @Test("a page that the user closes, or that fails, ends with its error")
    @MainActor func failure() async throws {
        for isCancelled in [true, false] {
            let ends = ends
            ends.with { $0 = [] }
            async let result = present(Session())
            #expect(await waitUntil { @Sendable in !ends.with { $0.isEmpty } })
            ends.with { $0.first }?(.failure(BrowserSessionPresenter.failure(isCancelled: isCancelled, nil)))
            do {
                _ = try await result
                Issue.record("no error")
            } catch {
                #expect(AuthErrorCode(error) == (isCancelled ? .webContextCancelled : .webInternalError))
            }
        }
    }

    @Test("without a window, or if the system refuses, the error says what is missing")
    @MainActor func refused() async throws {
        for session in [nil, Session(starts: false)] {
            await #expect { _ = try await present(session) } throws: { error in
                AuthErrorCode(error) == .webInternalError && error.localizedDescription.contains("window")
            }
        }
    }

    @Test("the page of a cancelled task is closed, and a task cancelled earlier opens none")
    @MainActor func cancelled() async throws {
        let session = Session()
        let task = Task { try await present(session) }
        #expect(await waitUntil { @Sendable in !ends.with { $0.isEmpty } })
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(session.events == ["start", "cancel"])
        let early = Session()
        let other = Task { try await present(early) }
        other.cancel()
        await #expect(throws: CancellationError.self) { _ = try await other.value }
        #expect(early.events.isEmpty)
    }
}
