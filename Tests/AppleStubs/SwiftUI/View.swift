// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

// The parts of SwiftUI that DialtoneAuth's views use. As in Apple's SDKs, modifiers are not isolated, and views are.

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

public struct AccessibilityTraits: SetAlgebra, Sendable {
    public static let isHeader = AccessibilityTraits()
    public static let isSelected = AccessibilityTraits()

    public init() {}
    public func contains(_ member: AccessibilityTraits) -> Bool { false }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { other }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits { other }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits { other }
    public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) { (true, newMember) }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? { member }
    public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? { newMember }
    public mutating func formUnion(_ other: AccessibilityTraits) {}
    public mutating func formIntersection(_ other: AccessibilityTraits) {}
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {}
}

public struct Edge: Sendable {
    public struct Set: Sendable {
        public static let all = Set()
    }
}

public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let leading = Alignment()
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
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        AnyModifiedView()
    }
    nonisolated public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { AnyModifiedView() }
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { AnyModifiedView() }
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { AnyModifiedView() }
    nonisolated public func accessibilityHint(_ hint: Text) -> some View { AnyModifiedView() }
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
