internal import Encodings
public import MessageTexts

/// An Android app that the operator registered in a project: its package name, and the app hashes by which SMS
/// Retriever delivers messages to it.
///
/// An app hash is computed from the package name and a signing certificate, so an app has one hash per certificate: the
/// hashes for a debug build, an upload key and Play App Signing differ.
public struct AndroidApp: Hashable, Sendable {
    /// The operator's name for the app, in settings.
    let name: String
    /// The package name, such as `com.example.app`.
    public let packageName: String
    /// The app hashes that messages for the app may end with.
    public let retrieverHashes: [AppSignatureHash]
    /// The number of the Google Cloud project for which the app requests Play Integrity tokens; nil if it requests
    /// none.
    public let integrityProjectNumber: UInt64?

    /// Registers an app. Returns nil if the package name is invalid: it needs two parts or more, each a letter followed
    /// by letters, digits or `_`.
    public init?(
        name: String,
        packageName: String,
        retrieverHashes: [AppSignatureHash],
        integrityProjectNumber: UInt64? = nil
    ) {
        let parts = packageName.split(separator: ".", omittingEmptySubsequences: false)
        let isPackageName =
            packageName.utf8.count <= 255 && parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.utf8.first, first.isASCIILetter else { return false }
                return part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            }
        guard isPackageName else { return nil }
        self.name = name
        self.packageName = packageName
        self.retrieverHashes = retrieverHashes
        self.integrityProjectNumber = integrityProjectNumber
    }
}

/// The Android apps that may open a project's challenge page, and whose hash its messages may end with.
///
/// Google Play services deliver a message to the app whose hash it ends with, without any permission. So an arbitrary
/// hash from a client would let another app on the phone read the code.
public enum AndroidApps: Hashable, Sendable {
    /// Any app: for development only.
    case anyUnverified
    /// Only these apps.
    case registered([AndroidApp])

    /// Returns the app with this package name; nil if it is not registered, or if the name is invalid.
    public func app(packageName: String) -> AndroidApp? {
        switch self {
        case .anyUnverified: AndroidApp(name: "unregistered", packageName: packageName, retrieverHashes: [])
        case .registered(let apps): apps.first { $0.packageName == packageName }
        }
    }

    /// Returns whether a message may end with this hash.
    public func allows(_ hash: AppSignatureHash) -> Bool {
        switch self {
        case .anyUnverified: true
        case .registered(let apps): apps.contains { $0.retrieverHashes.contains(hash) }
        }
    }
}
