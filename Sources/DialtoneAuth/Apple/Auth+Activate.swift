#if (canImport(UIKit) || canImport(AppKit)) && !os(watchOS)
    internal import Foundation

    extension Auth {
        /// Connects to the app: asks the system for the device token when the app must be verified, shows challenge
        /// pages in the system's browser (not on tvOS), and refreshes tokens when the app comes to the foreground.
        ///
        /// `View.dialtoneAuth(_:)` calls it. Apps without SwiftUI call it after they have configured the app; further
        /// calls do nothing.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor public func activate() {
            let isFirst = connect(presenter: Self.systemPresenter) {
                SystemApplication.registerForRemoteNotifications()
            }
            guard isFirst else { return }
            _ = NotificationCenter.default.addObserver(
                forName: SystemApplication.didBecomeActive,
                object: nil,
                queue: .main
            ) { [weak self] _ in self?.becameActive() }
        }

        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        private static var systemPresenter: (any ChallengePresenter)? {
            #if canImport(AuthenticationServices) && !os(tvOS)
                BrowserSessionPresenter { page, callbackScheme, end in
                    SystemApplication.window.map {
                        WebAuthenticationSession(page, callbackScheme: callbackScheme, over: $0, end)
                    }
                }
            #else
                nil
            #endif
        }
    }
#endif
