internal import Encodings
public import MessageTexts

/// An Android app that the operator registered in a project: its package name, and the hashes by which SMS Retriever
/// hands it messages.
///
/// A hash is made of the package name and of a signing certificate, so an app has one for each certificate: those of a
/// debug build, of an upload key and of Play App Signing differ.
public struct AndroidApp: Hashable, Sendable {
    /// The operator's name for it, in settings.
    public let name: String
    /// The package name, such as `com.example.app`.
    public let packageName: String
    /// The hashes that messages for it may end with.
    public let retrieverHashes: [AppSignatureHash]

    /// Registers an app; nil if the package name is not one: two parts or more, each a letter and then letters, digits
    /// or `_`.
    public init?(name: String, packageName: String, retrieverHashes: [AppSignatureHash]) {
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
    }
}

/// For which Android apps a project's messages may end with a hash.
///
/// Google Play services hand a message to the app whose hash it ends with, without any permission. So a hash that a
/// client made up would let another app on the phone read the code.
public enum AndroidApps: Hashable, Sendable {
    /// For whichever app asks: for development only.
    case anyUnverified
    /// For these.
    case registered([AndroidApp])

    /// Whether a message may end with this hash.
    public func allows(_ hash: AppSignatureHash) -> Bool {
        switch self {
        case .anyUnverified: true
        case .registered(let apps): apps.contains { $0.retrieverHashes.contains(hash) }
        }
    }
}
