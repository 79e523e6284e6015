// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// SwiftUI as far as DialtoneAuth's views use it. Modifiers are not isolated, views are: as in Apple's SDKs.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

/// A view that the system draws.
public protocol DrawnView: View where Body == Never {}

extension DrawnView {
    public var body: Never { return fatalError() }
}

public struct EmptyView: DrawnView {
    nonisolated public init() {}
}

public struct AnyModifiedView: DrawnView {}

public struct BuiltView<Content>: DrawnView {}

@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> BuiltView<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> BuiltView<(First, Second)> {
        fatalError()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> BuiltView<(First, Second)> {
        fatalError()
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { return fatalError() }
}

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifiedContentOf<Self>
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

public struct ModifiedContentOf<Modifier>: DrawnView {}

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle {
    public static let red = Color()
}

public struct Font: Sendable {
    public static let title2 = Font()
    public static let footnote = Font()
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
}

public struct AccessibilityChildBehavior: Sendable {
    public static let combine = AccessibilityChildBehavior()
}

public struct SubmitTriggers: Sendable {
    public static let text = SubmitTriggers()
}

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

extension View {
    nonisolated public func modifier<T>(_ modifier: T) -> some View { AnyModifiedView() }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { AnyModifiedView() }
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { AnyModifiedView() }
    nonisolated public func onSubmit(
        of triggers: SubmitTriggers = .text,
        _ action: @escaping () -> Void
    ) -> some View { AnyModifiedView() }
    nonisolated public func disabled(_ disabled: Bool) -> some View { AnyModifiedView() }
    nonisolated public func font(_ font: Font?) -> some View { AnyModifiedView() }
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { AnyModifiedView() }
    nonisolated public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { AnyModifiedView() }
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View { AnyModifiedView() }
    nonisolated public func accessibilityLabel(_ label: Text) -> some View { AnyModifiedView() }
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { AnyModifiedView() }
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior) -> some View {
        AnyModifiedView()
    }
    nonisolated public func accessibilityFocused(
        _ condition: AccessibilityFocusState<Bool>.Binding
    ) -> some View { AnyModifiedView() }
}

#if canImport(UIKit)
    public import UIKit

    extension View {
        nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { AnyModifiedView() }
        nonisolated public func textContentType(_ textContentType: UITextContentType?) -> some View {
            AnyModifiedView()
        }
    }
#else
    public import AppKit

    extension View {
        nonisolated public func textContentType(_ textContentType: NSTextContentType?) -> some View {
            AnyModifiedView()
        }
    }
#endif
