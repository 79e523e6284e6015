internal import Encodings
public import RedisStore

/// Who is asking: what a session is bound to, so that a stranger who knows a number gets a session of his own.
///
/// A verified app credential is the best name for a client; without one it is the network address with the API key. An
/// IPv6 client counts by its /64, because phones change the lower half at will (RFC 8981).
public enum ClientBinding: Hashable, Sendable {
    /// The client's network address in text form, and the API key that it used.
    case network(address: String, apiKey: String)
    /// A push receipt that was taken as proof.
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
        case .pushReceipt: ""
        }
    }

    /// The first 64 bits of an IPv6 address in one spelling; other addresses as they are.
    static func network(of address: String) -> String {
        let bytes = address.utf8
        guard bytes.contains(UInt8(ascii: ":")), !bytes.contains(UInt8(ascii: ".")) else { return address }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let head = groups(halves[0])
        let tail = halves.count == 2 ? groups(halves[1]) : []
        let zeros = [UInt16](repeating: 0, count: max(0, 8 - head.count - tail.count))
        let network = (head + (halves.count == 2 ? zeros : []) + tail).prefix(4)
        return network.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    private static func groups(_ text: Substring) -> [UInt16] {
        text.split(separator: ":").map { UInt16($0, radix: 16) ?? 0 }
    }
}
