/// The outcomes of Twilio's error codes.
///
/// Twilio: "Error and Warning Dictionary". For unknown codes the HTTP status decides.
enum TwilioErrors {
    static func outcome(_ answer: GatewayAnswer, _ code: GatewayCode?) -> GatewayOutcome {
        guard let code else { return status(answer, nil) }
        if let kind = refusal(code.value) { return .refused(GatewayRefusal(kind, code)) }
        if let kind = misconfiguration(code.value) { return .misconfigured(GatewayMisconfiguration(kind, code)) }
        switch code.value {
        // Too many requests, messages or queued messages for the sender, the account or the service.
        case 14107, 20429, 21611, 30001, 30022, 63038:
            return .retry(after: answer.retryAfter, GatewayTrouble(.throttled, code))
        case 20500, 20503:
            return .retry(after: answer.retryAfter, GatewayTrouble(.serverError, code))
        default:
            return status(answer, code)
        }
    }

    /// The table also contains the codes with which status callbacks explain failed deliveries.
    private static func refusal(_ code: Int) -> RefusalKind? {
        switch code {
        case 21211, 21217, 21401, 21421, 30005: .numberInvalid
        case 21614, 21635, 30006: .numberNotMobile
        case 21610, 30004: .recipientBlocked
        // No permission for the region; a trial account, whose destinations must be verified one by one.
        case 21408, 21608, 21219, 14111: .destinationNotEnabled
        case 21612, 30003: .unroutable
        case 21602, 21605, 21617, 21619, 30007, 30010: .messageRejected
        case 30450: .suspectedFraud
        default: nil
        }
    }

    private static func misconfiguration(_ code: Int) -> MisconfigurationKind? {
        switch code {
        case 20003, 20004, 20006, 20008: .credentialsRefused
        case 10001, 10002, 20005, 30002: .accountNotEnabled
        case 21212, 21603, 21606, 21607, 21618, 21659, 21660, 21661, 21701, 21702, 21703, 21704, 21705, 30034:
            .senderNotAllowed
        case 21609: .receiptAddressRefused
        case 20404: .addressUnknown
        case 20001, 21604, 90007: .requestRefused
        default: nil
        }
    }

    private static func status(_ answer: GatewayAnswer, _ code: GatewayCode?) -> GatewayOutcome {
        // The only variable part of the path is the account SID, so 404 means a wrong address or account.
        guard answer.status != 404 else {
            return .misconfigured(GatewayMisconfiguration(.addressUnknown, code ?? GatewayCode(404)))
        }
        return GatewayOutcome(failed: answer, code)
    }
}
