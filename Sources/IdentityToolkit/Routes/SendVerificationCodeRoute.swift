internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func sendVerificationCode(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let request = try call.messageRequest()
        let sent = try SendVerificationCodeRefusal.onWire(for: call, call.operation.sendVerificationCode(request))
        call.record.note(sent)
        return .json(
            JSONWriter.object { json in
                json.members(of: sent, resendDelay: call.operation.resendDelay)
            }
        )
    }
}

extension JSONWriter {
    /// Writes what a client needs to know about a sent message.
    mutating func members(of sent: SentVerificationCode, resendDelay: Duration) {
        member("sessionInfo", sent.sessionInfo)
        // An extension, for apps that show when the user can request another message.
        member("resendAfter", String(resendDelay.components.seconds))
        // An extension, for apps that offer another channel.
        if sent.channels.count > 1 {
            array("channels") { json in
                for channel in sent.channels { json.value(channel.rawValue) }
            }
        }
    }
}
