internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    func verifyClient(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        let request = VerifyClientRequest(
            appToken: try call.fields.text("appToken") ?? "",
            isSandbox: try call.fields.flag("isSandbox") ?? false,
            bundleID: call.bundleID,
            clientAddress: call.client.networkAddress,
            requestID: call.requestID
        )
        do {
            let issued = try authenticator.verifyClient(request, in: call.project)
            record.reason = "queued"
            return .json(
                JSONWriter.object { json in
                    json.member("receipt", issued.receipt)
                    json.member("suggestedTimeout", String(issued.timeout.components.seconds))
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension VerifyClientRefusal {
    /// The protocol's error. With these two codes the SDK opens the challenge page at once; any other code would end
    /// the user's attempt.
    fileprivate var wire: WireError {
        switch self {
        case .appTokenMissing: .badRequest("MISSING_IOS_APP_TOKEN")
        case .appTokenMalformed: challengePage("the app token is not hexadecimal")
        case .appUnknown: challengePage(InvalidAppCredential.appUnknown.rawValue)
        case .pushNotConfigured: challengePage("the app has no APNs credential")
        case .pushRefused: challengePage("APNs refused the app's pushes a moment ago; dialtone doctor apns says why")
        case .deviceUnreachable: challengePage("APNs does not know the device")
        case .networkChallenged: challengePage("sends that the network asked for are stepped up")
        case .budgetSpent(let budget, let retryAfter):
            challengePage("\(budget.words); the next in \(retryAfter.components.seconds) s")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        case .internalFailure: .internalError(logDetail: "sealing failed")
        }
    }

    private func challengePage(_ reason: String) -> WireError {
        .badRequest("INVALID_APP_CREDENTIAL", logDetail: reason)
    }
}

extension PushReceiptRequest.Budget {
    fileprivate var words: String {
        switch self {
        case .device: "the device had its pushes of this hour"
        case .network: "the network had its pushes of this hour"
        case .unproven: "the network named too many device tokens that APNs does not know"
        }
    }
}
