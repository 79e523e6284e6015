public import PhoneAuth
internal import RedisScripts

extension PushEnvironment {
    /// Apple's server of the environment.
    public var origin: PushOrigin {
        switch self {
        case .production: PushOrigin(host: "api.push.apple.com")
        case .sandbox: PushOrigin(host: "api.sandbox.push.apple.com")
        }
    }
}
