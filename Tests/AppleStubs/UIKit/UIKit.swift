// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// UIKit belongs to the main actor: its classes and protocols are isolated to it in Apple's SDKs, too.

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {}

@MainActor open class UIWindow: UIView {}

@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    open var activationState: ActivationState { .unattached }
}

@MainActor open class UIWindowScene: UIScene {
    open var keyWindow: UIWindow? { nil }
    open var windows: [UIWindow] { [] }
}

@MainActor open class UIOpenURLContext: NSObject {
    open var url: URL { fatalError() }
}

public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData
    case noData
    case failed
}

@MainActor open class UIApplication: UIResponder {
    public struct OpenURLOptionsKey: Hashable, Sendable {}
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    open class var shared: UIApplication { fatalError() }
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name { fatalError() }

    open var connectedScenes: Set<UIScene> { [] }

    open func registerForRemoteNotifications() {}

    open func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {}
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    )
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )
}

public struct UITextContentType: Hashable, Sendable {
    public static let telephoneNumber = UITextContentType()
    public static let oneTimeCode = UITextContentType()
}

public enum UIKeyboardType: Int, Sendable {
    case numberPad
    case phonePad
}

extension ProcessInfo {
    public func performExpiringActivity(withReason _: String, using _: @escaping @Sendable (Bool) -> Void) {}
}
