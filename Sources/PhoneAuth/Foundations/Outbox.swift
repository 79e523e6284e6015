internal import Encodings

/// A queue of items to send to other systems. Each project has a stream of each kind.
public enum Outbox: String, Sendable, CaseIterable {
    /// Text messages with verification codes.
    case messages = "outbox"
    /// Silent pushes.
    case pushes = "push-outbox"
    /// E-mails with action links.
    case mails = "mail-outbox"
}

/// The id of a message, unique in the deployment. It grants no access and may be shown to gateways.
public struct QueuedMessageID: Hashable, Sendable {
    let project: String
    let entryID: String

    /// The stream's entry id and the project's id: `1800000000000-0-my-app`.
    public var text: String { "\(entryID)-\(project)" }

    init(project: String, entryID: String) {
        self.project = project
        self.entryID = entryID
    }

    /// Parses an id. Returns nil if it is not one of these projects.
    public init?(_ text: String, among projects: [String]) {
        let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[..<2].allSatisfy({ (1...20).contains($0.utf8.count) && $0.isASCIIDigits }),
            projects.contains(String(parts[2]))
        else { return nil }
        self.init(project: String(parts[2]), entryID: "\(parts[0])-\(parts[1])")
    }
}
