public import OutgoingHTTP
public import SMSGateways

/// A gateway that sends mails through an SMTP server.
public struct SMTPGateway: Gateway {
    /// The gateway's name in settings and logs.
    public let name: GatewayName
    private let client: SMTPClient

    /// Creates a gateway.
    public init(name: GatewayName, client: SMTPClient) {
        self.name = name
        self.client = client
    }

    /// Sends a mail.
    public func send(_ mail: OutgoingMail) async -> GatewayOutcome {
        do throws(SMTPFailure) {
            try await client.send(mail.bytes, from: mail.sender.specification, to: mail.recipient.specification)
            return .accepted(nil)
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Connects and signs in, without a mail.
    public func check() async -> GatewayOutcome? {
        do throws(SMTPFailure) {
            try await client.check()
            return nil
        } catch {
            return GatewayOutcome(error)
        }
    }
}

extension GatewayOutcome {
    fileprivate init(_ failure: SMTPFailure) {
        switch failure {
        case .loginRefused(let code):
            self = .misconfigured(GatewayMisconfiguration(.credentialsRefused, GatewayCode(code)))
        case .refused(let code) where code < 500:
            self = .retry(after: nil, GatewayTrouble(.serverError, GatewayCode(code)))
        case .refused(let code): self = .refused(GatewayRefusal(.messageRejected, GatewayCode(code)))
        case .unanswered(let failure): self.init(failure)
        }
    }
}
