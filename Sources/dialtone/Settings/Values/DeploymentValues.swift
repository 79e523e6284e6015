import Delivery
import FastCGI
import Logging
import OutgoingHTTP
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts
import SMSGateways

/// The settings of a deployment.
struct DeploymentValues: SettingValues {
    /// The settings for Redis.
    struct RedisValues {
        var address: RedisAddress?
        var user: String?
        var password: String?
        var database = 0
        var sentinelUser: String?
        var sentinelPassword: String?
        var tls = TLSValues()
        var connectTimeout: Duration = .milliseconds(500)
        var commandTimeout: Duration = .milliseconds(1000)
        var replicasBeforeAnswer = 0
        var replicaTimeout: Duration = .milliseconds(300)
    }

    /// The files and the name for TLS to Redis.
    struct TLSValues {
        var authoritiesFile: String?
        var certificateFile: String?
        var keyFile: String?
        var serverName: String?
    }

    /// The proxy for requests to other machines.
    struct OutgoingProxyValues {
        var url: String?
        var user: String?
        var password: String?
    }

    var projects: [String]?
    var keyFile = "/etc/dialtone/keys.json"
    var numberingFile: String?
    var redis = RedisValues()
    var shards = ShardCount.standard

    var issuesUnsignedTokens = false
    var listen = ListenAddress.systemd
    var servesAdminRoutes: Bool
    var adminTokenURLs: [String] = []
    var threads = 16
    var activeThreads: Int?
    var maxBodyBytes = 65_536
    var requestDeadline: Duration = .seconds(5)
    var blockingHookTrustFile: String?
    var outgoingProxy = OutgoingProxyValues()
    var drain: Duration = .seconds(1)
    var logLevel = Logger.Level.info

    var policy = Policy()

    var gateways: [GatewayName] = []
    var gatewayRoutes: String?
    var resendChannels: NumberTable<MessageChannel>?
    var routeExploration = 0
    var receiptURL: String?
    var gatewayTrustFile: String?
    var mailGateways: [GatewayName] = []
    var mailSender: EmailAddress?
    var spendCaps: NumberTable<Money>?

    var apns = APNsConfiguration()
    var apnsTrustFile: String?

    var metricsFolder: String?

    /// Creates the defaults. In development mode, sign-ups have no rate limit, because test suites create thousands of
    /// accounts from one address.
    init(mode: DeploymentMode) {
        servesAdminRoutes = mode == .development
        guard mode == .development else { return }
        policy.signUpsPerNetworkPerHour = 0
        policy.signUpsPerProjectPerDay = 0
        policy.newAccountsPerNetworkPerDay = 0
        policy.customTokenSignUpsPerProjectPerDay = 0
        policy.passwordHashesPerNetworkPerHour = 0
    }

    static let examplePrefix = SettingName.deployment
}
