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

#if canImport(UIKit) && !os(watchOS)
    internal import Foundation
    internal import UIKit

    /// The parts of the running app that this library uses.
    @MainActor enum SystemApplication {
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        static func registerForRemoteNotifications() { UIApplication.shared.registerForRemoteNotifications() }

        /// The window in which pages are shown, that of the active scene; nil if the app has none.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        static var window: UIWindow? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let scene =
                scenes.first { $0.activationState == .foregroundActive }
                ?? scenes.first { $0.activationState == .foregroundInactive } ?? scenes.first
            return scene?.keyWindow ?? scene?.windows.first
        }

        static var didBecomeActive: Notification.Name { UIApplication.didBecomeActiveNotification }
    }
#elseif canImport(AppKit)
    internal import AppKit
    internal import Foundation

    /// The parts of the running app that this library uses.
    @MainActor enum SystemApplication {
        static func registerForRemoteNotifications() { NSApplication.shared.registerForRemoteNotifications() }

        /// The window in which pages are shown; nil if the app has none.
        static var window: NSWindow? {
            let application = NSApplication.shared
            return application.keyWindow ?? application.mainWindow ?? application.windows.first
        }

        static var didBecomeActive: Notification.Name { NSApplication.didBecomeActiveNotification }
    }
#endif
