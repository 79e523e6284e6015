#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// An app delegate that forwards what app verification needs to the default app's ``Auth``.
    ///
    /// ```swift
    /// @main struct MyApp: App {
    ///     @UIApplicationDelegateAdaptor(DialtoneAppDelegate.self) var delegate
    /// ```
    ///
    /// If your app has a delegate, let it inherit from this class, or call the functions of ``Auth`` with the same
    /// names.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor open class DialtoneAppDelegate: NSObject, UIApplicationDelegate {
        /// Forwards the device token.
        open func application(
            _ application: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            Auth.auth().application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
        }

        /// Forwards that the system returned no device token.
        open func application(
            _ application: UIApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            Auth.auth().application(application, didFailToRegisterForRemoteNotificationsWithError: error)
        }

        /// Forwards a remote notification. Notifications that do not belong to app verification are dropped: override
        /// this function to handle them.
        open func application(
            _ application: UIApplication,
            didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            let isHandled = Auth.auth().application(
                application,
                didReceiveRemoteNotification: userInfo,
                fetchCompletionHandler: completionHandler
            )
            if !isHandled { completionHandler(.noData) }
        }
    }
#elseif canImport(AppKit)
    public import AppKit
    public import Foundation

    /// An app delegate that forwards what app verification needs to the default app's ``Auth``.
    ///
    /// ```swift
    /// @main struct MyApp: App {
    ///     @NSApplicationDelegateAdaptor(DialtoneAppDelegate.self) var delegate
    /// ```
    @MainActor open class DialtoneAppDelegate: NSObject, NSApplicationDelegate {
        /// Forwards the device token.
        open func application(
            _: NSApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            Auth.auth().setAPNSToken(deviceToken, type: .unknown)
        }

        /// Forwards that the system returned no device token.
        open func application(
            _: NSApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            Auth.auth().registrationFailed(error)
        }

        /// Forwards a remote notification. Notifications that do not belong to app verification are dropped: override
        /// this function to handle them.
        open func application(_: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
            _ = Auth.auth().canHandleNotification(userInfo)
        }
    }
#endif

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
