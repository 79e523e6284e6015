// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

// The parts of SwiftUI besides views that the articles' apps use.

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() {}
}

#if canImport(UIKit)
    @MainActor @preconcurrency @propertyWrapper
    public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
        public init(_ type: Delegate.Type = Delegate.self) {}

        public var wrappedValue: Delegate { fatalError() }
    }
#endif
