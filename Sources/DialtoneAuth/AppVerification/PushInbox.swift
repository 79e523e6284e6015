internal import Foundation

/// The credential that a silent push carries, which proves the app.
struct PushCredential: Codable, Sendable, Equatable {
    static let key = "app-credential"

    let receipt: String
    let secret: String
}

/// The device token, and the silent pushes that are expected. Its functions never wait.
final class PushInbox: Sendable {
    struct DeviceToken: Sendable {
        let bytes: Data
        let type: AuthAPNSTokenType
    }

    private struct State: Sendable {
        var token: DeviceToken?
        var credential: PushCredential?
        var isRestored = false
        /// The expected receipts, oldest first. A push that arrives late is kept for the next message.
        var expected: [(receipt: String, push: OneShot<PushCredential>)] = []
        /// Pushes that are not expected yet, oldest first. A push may overtake the response that contains its receipt.
        var early: [PushCredential] = []
    }

    /// The number of pushes that may be expected at a time.
    private static let mostExpected = 32
    /// The number of unexpected pushes that are kept.
    private static let mostEarly = 8

    private let state = Locked(State())
    private let store: any AuthStore

    init(_ store: any AuthStore) { self.store = store }

    var token: DeviceToken? { state.withLock { $0.token } }

    func set(_ token: DeviceToken) { state.withLock { $0.token = token } }

    /// The credential of an earlier push, which stays valid until the server rejects it.
    var credential: PushCredential? {
        state.withLock { state in
            guard !state.isRestored else { return state.credential }
            let data: Data?
            do { data = try store.read(PushCredential.key) } catch { return nil }
            state.isRestored = true
            state.credential = data.flatMap { try? JSONDecoder().decode(PushCredential.self, from: $0) }
            return state.credential
        }
    }

    /// Removes a credential that the server rejected.
    func discard(_ credential: PushCredential) {
        state.withLock { state in
            guard state.credential == credential else { return }
            state.credential = nil
            try? store.remove(PushCredential.key)
        }
    }

    /// Returns the push with this receipt, which may arrive later.
    func expect(_ receipt: String) -> OneShot<PushCredential> {
        let push = OneShot<PushCredential>()
        state.withLock { state in
            if let index = state.early.firstIndex(where: { $0.receipt == receipt }) {
                let credential = state.early.remove(at: index)
                keep(credential, in: &state)
                return push.resolve(.success(credential))
            }
            state.expected.append((receipt, push))
            if state.expected.count > Self.mostExpected { state.expected.removeFirst() }
        }
        return push
    }

    /// Handles a remote notification. Returns false if it is not Dialtone's.
    func receive(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard let content = userInfo["com.google.firebase.auth"] else { return false }
        let object: Any?
        if let text = content as? String {
            object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        } else {
            object = content
        }
        guard let object = object as? [AnyHashable: Any], let receipt = object["receipt"] as? String,
            let secret = object["secret"] as? String
        else { return false }
        let credential = PushCredential(receipt: receipt, secret: secret)
        let push = state.withLock { state -> OneShot<PushCredential>? in
            guard let index = state.expected.firstIndex(where: { $0.receipt == receipt }) else {
                state.early.append(credential)
                if state.early.count > Self.mostEarly { state.early.removeFirst() }
                return nil
            }
            keep(credential, in: &state)
            return state.expected.remove(at: index).push
        }
        push?.resolve(.success(credential))
        return true
    }

    private func keep(_ credential: PushCredential, in state: inout State) {
        state.credential = credential
        state.isRestored = true
        // If this fails, the app requests another push after its next start.
        if let data = try? JSONEncoder().encode(credential) { try? store.write(data, for: PushCredential.key) }
    }
}
