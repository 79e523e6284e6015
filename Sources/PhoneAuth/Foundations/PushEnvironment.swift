/// The APNs environment of a device token; the app's provisioning profile determines it.
public enum PushEnvironment: String, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps installed by Xcode.
    case sandbox

    /// The other environment.
    public var other: PushEnvironment { self == .production ? .sandbox : .production }
}
