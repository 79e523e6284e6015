public import Encodings
internal import OutgoingHTTP
public import PhoneAuth

/// A silent push, by which a device proves that it runs the operator's app: it delivers the secret that belongs to a
/// receipt.
public struct PushNotification: Sendable, Confidential {
    /// The token of the device.
    public let deviceToken: DeviceToken
    /// The bundle id of the app.
    public let topic: BundleID
    /// The receipt from `verifyClient`; the SDK ignores a push with any other receipt.
    public let receipt: String
    /// The secret, which only this device may receive.
    public let secret: String
    /// The time at which APNs stops trying, in seconds since the Unix epoch. By then the SDK has given up and ignores
    /// the push.
    public let expiration: Int64

    /// Creates a push.
    public init(deviceToken: DeviceToken, topic: BundleID, receipt: String, secret: String, expiration: Int64) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.receipt = receipt
        self.secret = secret
        self.expiration = expiration
    }

    /// The body in the form that the official iOS SDK expects.
    ///
    /// `content-available` alone makes the push a background push, which the user does not notice.
    var payload: [UInt8] {
        JSONWriter.object { json in
            json.object("aps") { $0.member("content-available", 1) }
            json.object("com.google.firebase.auth") { json in
                json.member("receipt", receipt)
                json.member("secret", secret)
            }
        }
    }
}

extension HTTPRequest {
    /// Creates the request that sends `notification` to `origin`.
    ///
    /// A background push must have the type `background` and the priority 5: with 10, APNs refuses it or the device
    /// ignores it.
    init(_ notification: PushNotification, to origin: PushOrigin, _ token: ProviderToken?) {
        var headers: HTTPHeaderFields = [
            "apns-push-type": "background", "apns-priority": "5", "apns-topic": notification.topic.text,
            "apns-expiration": String(notification.expiration), "content-type": "application/json",
        ]
        if let token { headers.add(name: "authorization", value: "bearer \(token.encoded)") }
        self.init(
            postingTo: "\(origin)/3/device/\(notification.deviceToken.hexadecimal)",
            headers: headers,
            body: notification.payload
        )
    }
}
