internal import Encodings

/// The client that a session is bound to, so that an attacker who knows a number gets a separate session.
///
/// A verified app credential identifies a client best; without one, the network address and the API key do. An IPv6
/// client counts by its /64, because phones change the lower 64 bits at will (RFC 8981).
public enum ClientBinding: Hashable, Sendable {
    /// The client's network address in text form, and the API key that it used.
    case network(address: String, apiKey: String)
    /// The device whose push receipt was accepted as proof. It stays the same when the device gets a new receipt.
    case device(DeviceIdentity)

    /// Returns a keyed hash, so that addresses are not readable in Redis. Each purpose and each holder has separate
    /// sessions.
    func hash(for scope: VerificationScope, in project: Project, _ keys: ServerKeys) -> String {
        switch self {
        case .network(let address, let apiKey):
            let hash = keys.lookups(
                "network",
                .text(scope.purpose.rawValue),
                .text(project.id),
                .text(IPv6Network.narrowest(of: address)),
                .text(apiKey),
                .bytes(scope.holder)
            )
            return Base64URL.string(hash.prefix(16))
        case .device(let device):
            let hash = keys.lookups(
                "client-device",
                .text(scope.purpose.rawValue),
                .text(project.id),
                .text(device.hash),
                .bytes(scope.holder)
            )
            return Base64URL.string(hash.prefix(16))
        }
    }

    /// Returns the client of a session with this scope.
    func client(for scope: VerificationScope, in project: Project, _ keys: ServerKeys) -> VerificationClient {
        let binding = hash(for: scope, in: project, keys)
        return VerificationClient(
            binding: binding,
            hash: scope == .signIn ? binding : hash(for: .signIn, in: project, keys),
            widerNetworks: IPv6Network(ofAddress: networkAddress).map {
                ClientNetworks.containing($0, for: "wrong-code-network", in: project, keys)
            } ?? []
        )
    }

    /// The client's network address; empty if the client is identified more specifically.
    var networkAddress: String {
        switch self {
        case .network(let address, _): address
        case .device: ""
        }
    }
}

/// A session's client as Redis stores it, in keyed hashes.
struct VerificationClient {
    /// What the session is bound to: the client, the purpose and the holder.
    let binding: String
    /// The client, for which wrong and correct codes count whatever their purpose.
    let hash: String
    /// The networks that contain the client, if it is identified by its network. Wrong codes count for them, too.
    var widerNetworks: [ClientNetworks.Network] = []
}
