public import MessageTexts

/// A project as the operator configured it.
public struct Project: Hashable, Sendable {
    /// The id: audience of its tokens, part of its keys' names.
    public let id: String
    /// The number that some answers call the project by; the id where there is none.
    public let number: String
    /// Hosts that may carry its sign-in pages, the challenge page's first.
    public let authorizedDomains: [String]
    /// Its iOS apps.
    public let apps: [RegisteredApp]
    /// What its messages say.
    public let messages: MessageTemplates

    /// Describes a project.
    public init(
        id: String,
        number: String? = nil,
        authorizedDomains: [String],
        apps: [RegisteredApp] = [],
        messages: MessageTemplates = .nameless
    ) {
        self.id = id
        self.number = number ?? id
        self.authorizedDomains = authorizedDomains
        self.apps = apps
        self.messages = messages
    }

    /// The app with this bundle id.
    public func app(bundleID: String) -> RegisteredApp? {
        apps.first { $0.bundleID == bundleID }
    }
}
