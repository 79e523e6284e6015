public import DialtoneAuth

/// The name of ``DialtoneApp`` in the Firebase SDK.
public typealias FirebaseApp = DialtoneApp
/// The name of ``DialtoneOptions`` in the Firebase SDK.
public typealias FirebaseOptions = DialtoneOptions
