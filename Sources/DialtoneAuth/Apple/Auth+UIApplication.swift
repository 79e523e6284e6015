#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// Functions to which an app delegate or scene delegate forwards its calls, as with the Firebase SDK.
    extension Auth {
        /// Sets the device token; see ``setAPNSToken(_:type:)``.
        @MainActor public func application(
            _: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            setAPNSToken(deviceToken, type: .unknown)
        }

        /// Records that the system returned no device token: the app is then verified in another way, without a wait.
        @MainActor public func application(
            _: UIApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            registrationFailed(error)
        }

        /// Handles a remote notification, and calls the handler if the notification belongs to app verification.
        /// Returns false if it does not: then the app handles it and calls the handler.
        @MainActor @discardableResult public func application(
            _: UIApplication,
            didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) -> Bool {
            guard canHandleNotification(userInfo) else { return false }
            completionHandler(.noData)
            return true
        }

        /// Handles a URL that opened the app; see ``canHandle(_:)``.
        @MainActor @discardableResult public func application(
            _: UIApplication,
            open url: URL,
            options _: [UIApplication.OpenURLOptionsKey: Any] = [:]
        ) -> Bool {
            canHandle(url)
        }

        /// Handles URLs that opened a scene; see ``canHandle(_:)``.
        @MainActor public func scene(_: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in contexts { _ = canHandle(context.url) }
        }
    }
#endif
