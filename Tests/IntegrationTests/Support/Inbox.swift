import Encodings
import GatewayStandIn
import Synchronization
import TestServers

/// The codes that a gateway has received, each read once.
final class Inbox: Sendable {
    private let gateway: GatewayServer
    private let state = Mutex(State())

    private struct State {
        var readCount = 0
        var codes: [String: [String]] = [:]
    }

    init(_ gateway: GatewayServer) {
        self.gateway = gateway
    }

    /// Returns the codes of all messages to a number, oldest first.
    func codes(to number: String) -> [String] {
        let requests = gateway.requests
        return state.withLock { state in
            for request in requests.dropFirst(state.readCount) {
                let message = request.object
                let words = message.text("text").split { !$0.isNumber }
                guard let code = words.first(where: { $0.count == 6 }) else { continue }
                state.codes[message.text("to"), default: []].append(String(code))
            }
            state.readCount = max(state.readCount, requests.count)
            return state.codes[number] ?? []
        }
    }
}
