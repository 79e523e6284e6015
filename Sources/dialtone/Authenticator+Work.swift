import PhoneAuth
import RedisScripts

extension Authenticator {
    /// Prepares a command's next unit of work. A deadline permits Redis calls to be repeated.
    func beginWork() throws(StoreUnavailable) {
        setDeadline(.now + .seconds(10))
        try checkDeployment()
    }
}
