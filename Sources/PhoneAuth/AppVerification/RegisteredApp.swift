/// An iOS app that the operator registered in a project.
public struct RegisteredApp: Hashable, Sendable {
    /// The operator's name for it, in settings and on the command line.
    public let name: String
    /// The bundle id, which the SDK sends with each request and which is the topic of its pushes.
    public let bundleID: String
    /// The Google app id, such as `1:123:ios:abc`: the challenge page's callback may be named after it.
    public let googleAppID: String?
    /// The OAuth client id, such as `123-abc.apps.googleusercontent.com`: the callback may be named after it, too.
    public let clientID: String?
    /// Whether the dispatcher has a credential for its silent pushes.
    public let hasPush: Bool

    /// Describes an app.
    public init(name: String, bundleID: String, googleAppID: String?, clientID: String?, hasPush: Bool) {
        self.name = name
        self.bundleID = bundleID
        self.googleAppID = googleAppID
        self.clientID = clientID
        self.hasPush = hasPush
    }
}
