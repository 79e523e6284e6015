internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import PhoneAuth

extension HTTPClientRequest {
    /// The request that carries `notification` to `origin`.
    ///
    /// A background push must have the type `background` and the priority 5: with 10, APNs refuses it or the device ignores it.
    init(_ notification: PushNotification, to origin: PushOrigin, _ token: ProviderToken?) {
        self.init(url: "\(origin)/3/device/\(notification.deviceToken.hexadecimal)")
        method = .POST
        headers.add(name: "apns-push-type", value: "background")
        headers.add(name: "apns-priority", value: "5")
        headers.add(name: "apns-topic", value: notification.topic.bundleID)
        headers.add(name: "apns-expiration", value: String(notification.expiration))
        headers.add(name: "content-type", value: "application/json")
        if let token { headers.add(name: "authorization", value: "bearer \(token.encoded)") }
        body = .bytes(ByteBuffer(bytes: notification.payload))
    }
}
