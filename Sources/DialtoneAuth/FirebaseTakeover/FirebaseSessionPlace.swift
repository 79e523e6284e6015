internal import Foundation

/// A place in the keychain where the Firebase SDK stores a session.
public struct FirebaseSessionPlace: Sendable, Hashable {
    let item: KeychainItem
    /// The key of the user in the archive.
    let key: String
    /// Whether other apps, which may still contain the Firebase SDK, use the same session.
    let isShared: Bool

    /// Returns the place of an app's own session.
    ///
    /// - Parameters:
    ///   - googleAppID: `GOOGLE_APP_ID` of the Firebase project, such as `1:123:ios:abc`.
    ///   - appName: the name of the `FirebaseApp`, if it is not the default app.
    /// - Returns: the place.
    public static func app(
        googleAppID: String,
        appName: String = DialtoneApp.defaultName
    ) -> FirebaseSessionPlace {
        let key = "\(appName)_firebase_user"
        return FirebaseSessionPlace(
            item: KeychainItem(service: "firebase_auth_\(googleAppID)", account: "firebase_auth_1_\(key)"),
            key: key,
            isShared: false
        )
    }

    /// Returns the place of a session that apps share (`useUserAccessGroup(_:)`).
    ///
    /// - Parameters:
    ///   - accessGroup: the keychain's access group.
    ///   - apiKey: `API_KEY` of the Firebase project.
    ///   - isSharedAcrossDevices: whether the app has set `shareAuthStateAcrossDevices`.
    /// - Returns: the place.
    public static func accessGroup(
        _ accessGroup: String,
        apiKey: String,
        isSharedAcrossDevices: Bool = false
    ) -> FirebaseSessionPlace {
        FirebaseSessionPlace(
            item: KeychainItem(
                service: apiKey,
                account: "firebase_auth_firebase_user",
                accessGroup: accessGroup,
                isSynchronizable: isSharedAcrossDevices
            ),
            key: "firebase_auth_stored_user_coder_key",
            isShared: true
        )
    }

    /// Returns the access group that the Firebase SDK stored in the app's user defaults.
    ///
    /// - Parameter googleAppID: `GOOGLE_APP_ID` of the Firebase project.
    /// - Returns: the access group; nil if none is stored.
    public static func rememberedAccessGroup(googleAppID: String) -> String? {
        rememberedAccessGroup(googleAppID: googleAppID) { UserDefaults.standard.persistentDomain(forName: $0) }
    }

    static func rememberedAccessGroup(
        googleAppID: String,
        in domain: (_ name: String) -> [String: Any]?
    ) -> String? {
        let values = domain("com.google.Firebase.Auth.firebase_auth_\(googleAppID)")
        let group = values?["firebase_auth_stored_user_access_group"] as? Data
        return group.map { String(decoding: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the places in which the Firebase SDK of an app looks for its session, in the SDK's order.
    ///
    /// - Parameters:
    ///   - googleAppID: `GOOGLE_APP_ID` of the Firebase project.
    ///   - apiKey: `API_KEY` of the Firebase project.
    ///   - appName: the name of the `FirebaseApp`, if it is not the default app.
    /// - Returns: the places.
    public static func all(
        googleAppID: String,
        apiKey: String,
        appName: String = DialtoneApp.defaultName
    ) -> [FirebaseSessionPlace] {
        all(googleAppID, apiKey, appName, accessGroup: rememberedAccessGroup(googleAppID: googleAppID))
    }

    static func all(
        _ googleAppID: String,
        _ apiKey: String,
        _ appName: String,
        accessGroup group: String?
    ) -> [FirebaseSessionPlace] {
        let shared = group.map { group in
            [false, true].map { accessGroup(group, apiKey: apiKey, isSharedAcrossDevices: $0) }
        }
        return (shared ?? []) + [app(googleAppID: googleAppID, appName: appName)]
    }
}
