import SMSGateways

extension GatewayOutcome {
    /// What an operator can do about an outcome of the gateway whose settings have this prefix.
    func remedy(prefix: String) -> String {
        switch self {
        case .accepted: "nothing"
        case .refused: "try another number; the gateway's documentation explains its code"
        case .misconfigured(let fault):
            switch fault.kind {
            case .credentialsRefused: "correct \(prefix)ACCOUNT and \(prefix)SECRET"
            case .accountNotEnabled, .noCredit: "see the account in the gateway's console"
            case .senderNotAllowed: "correct \(prefix)SENDER, or register it with the gateway"
            case .addressUnknown, .redirected: "correct \(prefix)URL, \(prefix)FILE or \(prefix)ACCOUNT"
            case .receiptAddressRefused: "correct \(DeploymentValues.name(of: \.receiptURL))"
            case .requestRefused: "the gateway's documentation explains its code"
            }
        case .retry(_, let trouble), .uncertain(let trouble):
            switch trouble.kind {
            case .nameNotResolved: "check the host in \(prefix)URL, and this machine's name server"
            case .unreachable, .timedOut, .connectionLost: "check \(prefix)URL, the firewall and the proxy"
            case .untrustedServer, .tlsRefused:
                "check the host in \(prefix)URL and \(DeploymentValues.name(of: \.gatewayTrustFile))"
            case .throttled, .serverError, .malformedAnswer, .cancelled: "try again; then ask the gateway's support"
            }
        }
    }
}
