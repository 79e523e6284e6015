// swift-format-ignore-file: NeverForceUnwrap
// As apps write the URL of their server.

import DialtoneAuth
import Foundation
import SwiftUI
import UIKit

// Code that readers of DialtoneAuth's articles on Apple's platforms write. `check` compiles it, and `ArticleTests`
// compares it with the articles.

// Declarations that the articles leave to the reader.

struct ContentView: View {
    var body: some View { EmptyView() }
}

@MainActor private func show(_ user: User) {}

// MARK: AppleApps.md

@main struct MyApp: App {
    @UIApplicationDelegateAdaptor(DialtoneAppDelegate.self) var delegate  // for silent pushes

    init() { DialtoneApp.configure(url: URL(string: "https://auth.example.com")!, apiKey: "my-api-key") }

    var body: some Scene {
        WindowGroup { ContentView().dialtoneAuth() }
    }
}

struct SignInScreen: View {
    var body: some View {
        PhoneSignInView { result in
            show(result.user)
        }
    }
}

@MainActor final class ForwardingDelegate: NSObject, UIApplicationDelegate {
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        Auth.auth().application(application, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        Auth.auth().application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification notification: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if Auth.auth().application(
            application,
            didReceiveRemoteNotification: notification,
            fetchCompletionHandler: completionHandler
        ) {
            return
        }
        // … the app's own notifications
    }
}
