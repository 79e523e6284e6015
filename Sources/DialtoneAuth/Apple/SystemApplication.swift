#if canImport(UIKit) && !os(watchOS)
    internal import Foundation
    internal import UIKit

    /// The parts of the running app that this library uses.
    @MainActor enum SystemApplication {
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        static func registerForRemoteNotifications() { UIApplication.shared.registerForRemoteNotifications() }

        /// The window in which pages are shown; nil if the app has none.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        static var window: UIWindow? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let windows = scenes.flatMap { $0.windows }
            return windows.first { $0.isKeyWindow } ?? windows.first
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
