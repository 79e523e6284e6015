internal import OutgoingHTTP
internal import PhoneAuth

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
