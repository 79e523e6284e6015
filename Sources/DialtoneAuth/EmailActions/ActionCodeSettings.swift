public import Foundation

/// Where the link in an e-mail leads, and which app opens it.
public final class ActionCodeSettings: NSObject, Sendable {
    private let locked = Locked(JSONFields(["iOSBundleId": Bundle.main.bundleIdentifier]))

    /// The settings as fields of a request.
    var fields: JSONFields { locked.withLock { $0 } }

    /// The page that the user reaches afterwards, on one of the project's authorized domains.
    public var url: URL? {
        get { self[text: "continueUrl"].flatMap(URL.init) }
        set { self[text: "continueUrl"] = newValue?.absoluteString }
    }

    /// Whether an app opens the link. Links to sign in require it.
    public var handleCodeInApp: Bool {
        get { self[flag: "canHandleCodeInApp"] }
        set { self[flag: "canHandleCodeInApp"] = newValue }
    }

    /// The bundle ID of the app that opens the link on Apple's platforms; at first, this app's.
    public var iOSBundleID: String? {
        get { self[text: "iOSBundleId"] }
        set { self[text: "iOSBundleId"] = newValue }
    }

    /// The package name of the app that opens the link on Android.
    public var androidPackageName: String? {
        get { self[text: "androidPackageName"] }
        set { self[text: "androidPackageName"] = newValue }
    }

    /// The lowest version of the Android app that can open the link.
    public var androidMinimumVersion: String? {
        get { self[text: "androidMinimumVersion"] }
        set { self[text: "androidMinimumVersion"] = newValue }
    }

    /// Whether to offer the Android app for installation.
    public var androidInstallIfNotAvailable: Bool {
        get { self[flag: "androidInstallApp"] }
        set { self[flag: "androidInstallApp"] = newValue }
    }

    /// The domain of the link; nil for the project's.
    public var linkDomain: String? {
        get { self[text: "linkDomain"] }
        set { self[text: "linkDomain"] = newValue }
    }

    /// The former name of ``linkDomain``.
    public var dynamicLinkDomain: String? {
        get { self[text: "dynamicLinkDomain"] }
        set { self[text: "dynamicLinkDomain"] = newValue }
    }

    /// Sets ``iOSBundleID``.
    public func setIOSBundleID(_ bundleID: String) { iOSBundleID = bundleID }

    /// Sets the Android app that opens the link.
    public func setAndroidPackageName(
        _ androidPackageName: String,
        installIfNotAvailable: Bool,
        minimumVersion: String?
    ) {
        self.androidPackageName = androidPackageName
        androidInstallIfNotAvailable = installIfNotAvailable
        androidMinimumVersion = minimumVersion
    }

    private subscript(text name: String) -> String? {
        get { locked.withLock { if case .text(let text) = $0[name] { text } else { nil } } }
        set { locked.withLock { $0[name] = newValue.map(JSONFields.Value.text) } }
    }

    private subscript(flag name: String) -> Bool {
        get { locked.withLock { $0[name] != nil } }
        set { locked.withLock { $0[name] = newValue ? .flag(true) : nil } }
    }
}

extension JSONFields {
    /// Creates the fields of a request for an e-mail.
    init(requestType: String, email: String? = nil, newEmail: String? = nil, _ settings: ActionCodeSettings?) {
        self.init(["requestType": requestType, "email": email, "newEmail": newEmail])
        if let settings { self = merging(settings.fields) }
    }
}
