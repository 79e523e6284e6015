#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// What an app delegate or scene delegate forwards, as with the Firebase SDK.
    extension Auth {
        /// Takes the device token; see ``setAPNSToken(_:type:)``.
        @MainActor public func application(
            _: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            setAPNSToken(deviceToken, type: .unknown)
        }

        /// Takes that there is no device token: the app is verified in another way, without a wait.
        @MainActor public func application(
            _: UIApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            registrationFailed(error)
        }

        /// Takes a remote notification, and calls the handler if it is of the app's verification. Returns whether it
        /// is; if not, the app handles it and calls the handler.
        @MainActor @discardableResult public func application(
            _: UIApplication,
            didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) -> Bool {
            guard canHandleNotification(userInfo) else { return false }
            completionHandler(.noData)
            return true
        }

        /// Takes a URL that opened the app; see ``canHandle(_:)``.
        @MainActor @discardableResult public func application(
            _: UIApplication,
            open url: URL,
            options _: [UIApplication.OpenURLOptionsKey: Any] = [:]
        ) -> Bool {
            canHandle(url)
        }

        /// Takes URLs that opened a scene; see ``canHandle(_:)``.
        @MainActor public func scene(_: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            for context in contexts { _ = canHandle(context.url) }
        }
    }
#endif
