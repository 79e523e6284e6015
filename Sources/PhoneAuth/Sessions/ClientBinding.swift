internal import Encodings
public import RedisStore

/// Who is asking: what a session is bound to, so that a stranger who knows a number gets a session of his own.
///
/// A verified app credential is the best name for a client; without one it is the network address with the API key. An
/// IPv6 client counts by its /64, because phones change the lower half at will (RFC 8981).
public enum ClientBinding: Hashable, Sendable {
    /// The client's network address in text form, and the API key that it used.
    case network(address: String, apiKey: String)
    /// The device whose push receipt was taken as proof. It stays the same when the device gets a new receipt.
    case device(DeviceIdentity)
    /// A push receipt of the version before, which does not know its device.
    case pushReceipt(PushReceiptID)

    /// A keyed hash: addresses are not readable in Redis. Each purpose and each holder has sessions of its own.
    func hash(for scope: SessionScope, in project: Project, _ keys: ServerKeys) -> String {
        switch self {
        case .network(let address, let apiKey):
            let hash = keys.indexes(
                "network",
                .text(scope.purpose.rawValue),
                .text(project.id),
                .text(Self.network(of: address)),
                .text(apiKey),
                .bytes(scope.holder)
            )
            return Base64URL.string(hash.prefix(16))
        case .device(let device):
            let hash = keys.indexes(
                "client-device",
                .text(scope.purpose.rawValue),
                .text(project.id),
                .text(device.hash),
                .bytes(scope.holder)
            )
            return Base64URL.string(hash.prefix(16))
        case .pushReceipt(let receipt):
            let hash = keys.indexes(
                "push-receipt",
                .text(scope.purpose.rawValue),
                .text(project.id),
                .bytes(receipt.bytes),
                .bytes(scope.holder)
            )
            return Base64URL.string(hash.prefix(16))
        }
    }

    /// The client's network address; empty where it is known by something better.
    var networkAddress: String {
        switch self {
        case .network(let address, _): address
        case .device, .pushReceipt: ""
        }
    }

    /// What a session is bound to: the /64 of an IPv6 address in one spelling; other addresses unchanged.
    static func network(of address: String) -> String {
        IPv6Network(ofAddress: address)?.text(bits: 64) ?? address
    }
}
