#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
    internal import AuthenticationServices
    internal import Foundation

    /// A page in the system's browser. It needs no URL scheme in `Info.plist`, because the system passes the link to
    /// the session instead of opening the app.
    @MainActor final class WebAuthenticationSession: NSObject, BrowserSession {
        private let window: ASPresentationAnchor
        private let session: ASWebAuthenticationSession

        init(
            _ page: URL,
            callbackScheme: String,
            over window: ASPresentationAnchor,
            _ end: @escaping BrowserSessionPresenter.End
        ) {
            self.window = window
            // The system does not guarantee that it calls this closure on the main thread.
            session = ASWebAuthenticationSession(url: page, callbackURLScheme: callbackScheme) { @Sendable url, error in
                end(Self.result(url, error))
            }
            super.init()
            session.presentationContextProvider = self
            // The page needs nothing from the browser, and an ephemeral session does not ask users for permission to
            // share data.
            session.prefersEphemeralWebBrowserSession = true
        }

        func start() -> Bool { session.start() }

        func cancel() { session.cancel() }

        nonisolated private static func result(_ url: URL?, _ error: (any Error)?) -> Result<URL, any Error> {
            if let url { return .success(url) }
            let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
            return .failure(BrowserSessionPresenter.failure(isCancelled: isCancelled, error))
        }
    }

    extension WebAuthenticationSession: ASWebAuthenticationPresentationContextProviding {
        func presentationAnchor(for _: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }
#endif
