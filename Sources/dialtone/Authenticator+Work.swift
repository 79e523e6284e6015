import PhoneAuth
import RedisStore

extension Authenticator {
    /// Prepares a command to use the current index key. Sets a deadline, so that the command stops writing before a
    /// move between index keys copies its data.
    func beginWork() throws(StoreUnavailable) {
        setDeadline(.now + IndexKeyMove.longestCommand)
        do { try useIndexKeyInForce() } catch { throw error.unavailability }
    }
}
