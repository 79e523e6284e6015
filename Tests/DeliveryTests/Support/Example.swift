import Delivery
import PhoneAuth
import RedisScripts
import Testing

/// The push that the tests send.
enum Example {
    static let device = String(repeating: "a1", count: 32)
    static let bundleID = "com.example.app"
    static let receipt = "receipt-of-the-example"
    static let secret = "secret-of-the-example"
    static let expiration: Int64 = 1_790_000_005

    static func topic() throws -> BundleID { try #require(BundleID(bundleID)) }

    static func notification(to deviceToken: DeviceToken, _ topic: BundleID) -> PushNotification {
        PushNotification(
            deviceToken: deviceToken,
            topic: topic,
            receipt: receipt,
            secret: secret,
            expiration: expiration
        )
    }

    /// Returns a device token that differs for each number.
    static func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}
