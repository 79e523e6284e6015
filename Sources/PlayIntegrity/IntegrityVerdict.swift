/// A verdict of Play Integrity that an operator may require.
public enum IntegrityVerdict: String, Sendable, CaseIterable, CustomStringConvertible {
    /// The app and its certificate match a version that Google Play distributed.
    case playRecognized = "PLAY_RECOGNIZED"
    /// The user got the app from Google Play.
    case licensed = "LICENSED"
    /// The device passes basic checks; it may be uncertified.
    case meetsBasicIntegrity = "MEETS_BASIC_INTEGRITY"
    /// The device is a genuine, certified Android device.
    case meetsDeviceIntegrity = "MEETS_DEVICE_INTEGRITY"
    /// The device also has recent security updates, or a hardware-backed proof of boot integrity.
    case meetsStrongIntegrity = "MEETS_STRONG_INTEGRITY"

    /// Google's name for the verdict.
    public var description: String { rawValue }
}
