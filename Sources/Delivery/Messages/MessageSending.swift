internal import PhoneAuth
internal import SMSGateways

/// What one dispatcher knows of the gateways that it has asked to send a message.
struct MessageSending {
    let message: PendingMessage
    private let routes: MessageRoutes
    /// Those that will not send it.
    private(set) var refusedBy: [GatewayName] = []
    /// Those that may have sent it without saying so.
    private var doubted: [GatewayName] = []
    /// What the last of them said, or what is known where none was asked.
    private(set) var lastRefusal: String

    init(_ message: PendingMessage, routes: MessageRoutes) {
        self.message = message
        self.routes = routes
        lastRefusal = message.tried.isEmpty ? "there is no gateway for the number" : "no gateway is left to try"
    }

    /// Whom to ask, in this order: those that left it open last time come last.
    var gateways: [any SMSGateway] {
        let left = routes.gateways(for: message, besides: refusedBy)
        return left.filter { !doubted.contains($0.name) } + left.filter { doubted.contains($0.name) }
    }

    mutating func refuse(_ gateway: GatewayName, _ reason: String) {
        refusedBy.append(gateway)
        lastRefusal = reason
    }

    mutating func doubt(_ gateway: GatewayName) {
        if !doubted.contains(gateway) { doubted.append(gateway) }
    }
}
