internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func verifyClient(_ call: Call) throws(WireError) -> Response {
        let request = VerifyClientRequest(
            appToken: try call.fields.text("appToken") ?? "",
            isSandbox: try call.fields.flag("isSandbox") ?? false,
            app: call.app,
            clientAddress: call.client.networkAddress
        )
        let issued = try VerifyClientRefusal.onWire(call.operation.verifyClient(request))
        call.record.reason = "queued"
        return .json(
            JSONWriter.object { json in
                json.member("receipt", issued.receipt)
                json.member("suggestedTimeout", String(issued.timeout.components.seconds))
            }
        )
    }
}

extension VerifyClientRefusal: WireRefusal {
    /// The protocol's error. With these two codes the SDK opens the challenge page at once; any other code would end
    /// the user's attempt.
    var wire: WireError {
        switch self {
        case .appTokenMissing: .code(.missingIOSAppToken)
        case .appTokenMalformed: challengePage("the app token is not hexadecimal")
        case .appUnknown: challengePage(InvalidAppCredential.appUnknown.rawValue)
        case .pushNotConfigured: challengePage("the app has no APNs credential")
        case .pushRefused: challengePage("APNs refused the app's recent pushes; dialtone doctor reports why")
        case .deviceUnreachable: challengePage("APNs does not know the device")
        case .networkChallenged: challengePage("the network's sends are stepped up: a challenge is required")
        case .limited(let refusal):
            challengePage(
                "the \(refusal.scope) has reached its pushes per hour; "
                    + "retry in \(refusal.retryAfter.components.seconds) s"
            )
        case .tooManyUnknownTokens(let retryAfter):
            challengePage(
                "the network sent too many device tokens that APNs does not know; "
                    + "retry in \(retryAfter.components.seconds) s"
            )
        case .unavailable(let store): store.wire
        case .internalFailure: .internalError(logDetail: "sealing failed")
        }
    }

    private func challengePage(_ reason: String) -> WireError {
        .code(.invalidAppCredential, logDetail: reason)
    }
}
