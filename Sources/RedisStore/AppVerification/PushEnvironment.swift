/// Which of APNs' two worlds a device token belongs to; the app's provisioning profile decides.
public enum PushEnvironment: String, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps that Xcode installed.
    case sandbox

    /// The other one.
    public var other: PushEnvironment { self == .production ? .sandbox : .production }
}
