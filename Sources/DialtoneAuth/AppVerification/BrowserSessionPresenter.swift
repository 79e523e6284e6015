internal import Foundation

/// A page in a system browser, which ends with a link to the app.
@MainActor protocol BrowserSession: AnyObject, Sendable {
    /// Shows the page. Returns false if the system cannot show it now.
    func start() -> Bool
    /// Closes the page, if it is open.
    func cancel()
}

/// A presenter that shows challenge pages in browser sessions.
struct BrowserSessionPresenter: ChallengePresenter {
    /// Receives the link that the page navigates to, or the reason why the session ended without one.
    typealias End = @Sendable (Result<URL, any Error>) -> Void

    /// Creates a browser session for a page; returns nil if the app has no window.
    typealias MakeSession =
        @MainActor @Sendable (_ page: URL, _ callbackScheme: String, _ end: @escaping End) -> (any BrowserSession)?

    let makeSession: MakeSession

    func present(_ page: URL, callbackScheme: String) async throws -> URL {
        let end = OneShot<URL>()
        let session = try await start(page, callbackScheme, end)
        do {
            return try await end.value()
        } catch {
            // Also after the task was cancelled: a page whose result is no longer awaited must not stay open.
            await session.cancel()
            throw error
        }
    }

    /// Returns the error of a session that ended without a link.
    static func failure(isCancelled: Bool, _ error: (any Error)?) -> NSError {
        if isCancelled { return AuthErrorCode.webContextCancelled.error() }
        return AuthErrorCode.webInternalError.error(info: error.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }

    @MainActor private func start(
        _ page: URL,
        _ callbackScheme: String,
        _ end: OneShot<URL>
    ) throws -> any BrowserSession {
        try Task.checkCancellation()
        guard let session = makeSession(page, callbackScheme, { end.resolve($0) }), session.start() else {
            throw AuthErrorCode.webInternalError.error(
                "The system could not show the challenge page. The app must be in the foreground and have a window."
            )
        }
        return session
    }
}
