/// The APNs topic of an app: its bundle id.
public struct PushTopic: Hashable, Sendable, CustomStringConvertible {
    /// The bundle id, such as `com.example.app`.
    public let bundleID: String

    /// Validates a bundle id: 1 to 255 ASCII letters, digits, `-`, `.` and `_`; nil for anything else.
    public init?(bundleID: String) {
        guard (1...255).contains(bundleID.utf8.count) else { return nil }
        let isTopic = bundleID.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        guard isTopic else { return nil }
        self.bundleID = bundleID
    }

    /// The bundle id.
    public var description: String { bundleID }
}
