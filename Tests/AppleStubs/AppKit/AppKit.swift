// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// AppKit belongs to the main actor: its classes and protocols are isolated to it in Apple's SDKs, too.

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSWindow: NSResponder {}

@MainActor open class NSApplication: NSResponder {
    open class var shared: NSApplication { fatalError() }
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name { fatalError() }

    open var keyWindow: NSWindow? { nil }
    open var mainWindow: NSWindow? { nil }
    open var windows: [NSWindow] { [] }

    open func registerForRemoteNotifications() {}
}

open class NSWorkspace: NSObject {
    open class var shared: NSWorkspace { fatalError() }

    open func open(_ url: URL) -> Bool { false }
}

@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: NSApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
    func application(
        _ application: NSApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )
    func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
}

public struct NSTextContentType: Hashable, Sendable {
    public static let oneTimeCode = NSTextContentType()
}
