// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct LocalizedStringKey: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {}
}

public struct Text: DrawnView, Sendable {
    nonisolated public init(_ key: LocalizedStringKey) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}
}

public struct TextField<Label: View>: DrawnView {}

extension TextField where Label == Text {
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) {}
}

public struct List<SelectionValue: Hashable, Content: View>: DrawnView {}

extension List where SelectionValue == Never {
    nonisolated public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == BuiltView<(Data, RowContent)>, Data.Element: Identifiable {}
}

public struct Button<Label: View>: DrawnView {}

extension Button where Label == Text {
    nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
    @_disfavoredOverload
    nonisolated public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: DrawnView {}

extension ProgressView where CurrentValueLabel == EmptyView, Label == EmptyView {
    nonisolated public init() {}
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VStack<Content: View>: DrawnView {
    nonisolated public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {}
}

public struct ScrollView<Content: View>: DrawnView {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public protocol TimelineSchedule {}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule()
    }
}

public struct TimelineViewDefaultContext {
    public var date: Date { fatalError() }
}

public struct TimelineView<Schedule: TimelineSchedule, Content: View>: DrawnView {
    nonisolated public init(
        _ schedule: Schedule,
        @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content
    ) {}
}
