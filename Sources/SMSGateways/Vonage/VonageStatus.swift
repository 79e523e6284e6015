/// The outcomes of the message status in Vonage's responses, if the status is not 0.
///
/// Vonage: "Troubleshooting SMS", section "SMS API error codes", and "API Errors".
enum VonageStatus {
    static func outcome(_ status: GatewayCode, _ retryAfter: Duration?) -> GatewayOutcome {
        if let kind = misconfiguration(status.value) { return .misconfigured(GatewayMisconfiguration(kind, status)) }
        return switch status.value {
        // Rate limit of the account exceeded; too many connections.
        case 1, 10: .retry(after: retryAfter, GatewayTrouble(.throttled, status))
        case 5: .retry(after: retryAfter, GatewayTrouble(.serverError, status))
        default: .refused(GatewayRefusal(refusal(status.value), status))
        }
    }

    private static func refusal(_ status: Int) -> RefusalKind {
        switch status {
        // Unknown prefix; wrong network for the number.
        case 6, 22: .unroutable
        case 7: .recipientBlocked
        case 12: .messageRejected
        // A trial account, whose destinations must be registered one by one.
        case 29: .destinationNotEnabled
        case 33: .numberInvalid
        default: .other
        }
    }

    private static func misconfiguration(_ status: Int) -> MisconfigurationKind? {
        switch status {
        case 2, 19, 20: .requestRefused
        case 4, 14, 32: .credentialsRefused
        case 8, 11: .accountNotEnabled
        case 9: .noCredit
        case 15: .senderNotAllowed
        case 23: .receiptAddressRefused
        default: nil
        }
    }
}
