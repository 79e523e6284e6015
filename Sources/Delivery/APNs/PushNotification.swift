public import Encodings
public import PhoneAuth

/// The silent push by which a device proves that it runs the operator's own app: it carries the secret that belongs to a receipt.
public struct PushNotification: Sendable, Confidential {
    /// The device.
    public let deviceToken: DeviceToken
    /// The app.
    public let topic: PushTopic
    /// What `verifyClient` answered; the SDK takes no push for another.
    public let receipt: String
    /// What only this device shall learn.
    public let secret: String
    /// When APNs stops trying, in seconds since the Unix epoch: a push that comes after the SDK gave up is of no use.
    public let expiration: Int64

    /// Describes a push.
    public init(deviceToken: DeviceToken, topic: PushTopic, receipt: String, secret: String, expiration: Int64) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.receipt = receipt
        self.secret = secret
        self.expiration = expiration
    }

    /// The body as the official iOS SDK looks for it.
    ///
    /// `content-available` alone makes it a background push: there is nothing to see or hear.
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
