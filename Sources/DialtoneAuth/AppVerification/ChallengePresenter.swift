public import Foundation

/// A presenter of the challenge page, for projects that use a CAPTCHA provider instead of the proof of work.
public protocol ChallengePresenter: Sendable {
    /// Shows a page until it navigates to a URL with the callback scheme, and returns that URL.
    ///
    /// - Throws: ``AuthErrorCode/webContextCancelled`` if the user closes the page.
    func present(_ page: URL, callbackScheme: String) async throws -> URL
}

/// The result of the challenge page for a registered app: a link that opens the app.
struct ChallengeLink {
    let scheme: String
    let eventID: String

    /// Whether the scheme is valid (RFC 3986 § 3.1) and may belong to an app. Apple's systems terminate an app that
    /// passes any other.
    var hasValidScheme: Bool {
        let scheme = scheme.lowercased()
        let letters = "abcdefghijklmnopqrstuvwxyz"
        return scheme.first.map(letters.contains) == true && scheme.allSatisfy("\(letters)0123456789+-.".contains)
            && !["http", "https"].contains(scheme)
    }

    /// Returns whether a URL is the link of this challenge.
    func matches(_ url: URL) -> Bool { fields(of: url) != nil }

    /// Returns the token of a link.
    ///
    /// - Throws: the error that the page reported, or ``AuthErrorCode/webInternalError`` if the link is not that of
    ///   this challenge.
    func token(of url: URL) throws -> String {
        guard let fields = fields(of: url) else {
            throw AuthErrorCode.webInternalError.error("The challenge page ended with a link for another challenge.")
        }
        if let token = fields["recaptchaToken"], !token.isEmpty { return token }
        struct Failure: Decodable { let code: String }
        let failure = fields["firebaseError"].flatMap {
            try? JSONDecoder().decode(Failure.self, from: Data($0.utf8))
        }
        switch failure?.code {
        case "auth/invalid-client-id": throw AuthErrorCode.invalidClientID.error()
        case "auth/network-request-failed": throw AuthErrorCode.webNetworkRequestFailed.error()
        case "auth/internal-error": throw AuthErrorCode.webInternalError.error()
        default: throw AuthErrorCode.webSignInUserInteractionFailure.error()
        }
    }

    /// Returns the fields of the inner URL; nil if the link is not that of this challenge.
    private func fields(of url: URL) -> [String: String]? {
        guard let outer = URLComponents(url: url, resolvingAgainstBaseURL: true),
            outer.scheme?.lowercased() == scheme.lowercased(), outer.host == "firebaseauth", outer.path == "/link",
            let inner = outer.queryItems?.first(where: { $0.name == "deep_link_id" })?.value,
            let items = URLComponents(string: inner)?.queryItems
        else { return nil }
        let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        return fields["authType"] == "verifyApp" && fields["eventId"] == eventID ? fields : nil
    }
}

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
