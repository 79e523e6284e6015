import PhoneAuth
import RedisStore

extension Authenticator {
    /// Makes a command hash under the index key that is in force, and ends its work before a move to another key may
    /// copy what it wrote.
    mutating func beginWork() throws(StoreUnavailable) {
        setDeadline(.now + Policy.indexKeyUse)
        do { try useIndexKeyInForce() } catch { throw error.unavailability }
    }
}
