public import RedisStore

extension Authenticator {
    /// Checks that the store is this deployment's, and makes this authenticator hash under the index key in force. Call
    /// it before each unit of work.
    /// - Throws: ``StoreUnavailable`` if the store is another deployment's, its index key is being moved or is not in
    ///   the key file, or it does not respond.
    public func checkDeployment() throws(StoreUnavailable) {
        let shared = try caches.indexKeyID.value { () throws(StoreUnavailable) in try store.indexKeyState().id }
        // Another thread may have read the shared value before a move, and this one has not connected since.
        let id = store.indexKeyID == shared ? shared : try store.indexKeyState().id
        guard id != keys.indexKey.id || !keys.hasUsedIndexKey else { return }
        guard let keys = keys.hashing(under: id) else {
            throw StoreUnavailable(description: "index-\(id) is in force, which is not in this machine's key file")
        }
        self.keys = keys
    }
}
