#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// An app delegate that forwards to the default app's ``Auth`` what app verification needs.
    ///
    /// ```swift
    /// @main struct MyApp: App {
    ///     @UIApplicationDelegateAdaptor(DialtoneAppDelegate.self) var delegate
    /// ```
    ///
    /// An app with a delegate of its own inherits from it, or calls the functions of ``Auth`` with the same names.
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

        /// Forwards that there is no device token.
        open func application(
            _ application: UIApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            Auth.auth().application(application, didFailToRegisterForRemoteNotificationsWithError: error)
        }

        /// Forwards a remote notification. Others than those of app verification are dropped: override it to handle
        /// them.
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

    /// An app delegate that forwards to the default app's ``Auth`` what app verification needs.
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

        /// Forwards that there is no device token.
        open func application(
            _: NSApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            Auth.auth().registrationFailed(error)
        }

        /// Forwards a remote notification. Others than those of app verification are dropped: override it to handle
        /// them.
        open func application(_: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
            _ = Auth.auth().canHandleNotification(userInfo)
        }
    }
#endif
