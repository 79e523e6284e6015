import ChallengePages
import FastCGI
import IdentityToolkit
import Logging
import PhoneAuth
import PhoneNumbers
import Redis
import RedisStore

/// Everything that an operator decides, checked.
struct Settings {
    var keyFile: String
    var projects: [Project]
    var directory: ProjectDirectory
    var appVerification: AppVerification
    /// Third-party challenges, by project.
    var challengeProviders: ChallengeProviders
    /// Whether workers serve operators.
    var adminInterface: AdminInterface
    var listen: ListenAddress
    var server: ServerConfiguration
    /// How long a request's body may be outside of the admin interface.
    var maxBodyBytes: Int
    var requestDeadline: Duration
    /// How long a worker that was told to stop goes on serving while it reports that it is not ready.
    var drain: Duration
    var redis: ConnectionConfiguration
    var shards: ShardCount
    var policy: Policy
    /// How the dispatcher reaches Apple's push service.
    var apns: APNsSettings
    /// The APNs credentials of all apps that have one.
    var apnsCredentials: [(project: Project, app: RegisteredApp, credential: APNsCredentialSetting)]
    /// The SMS gateways.
    var gateways: GatewaySettings
    /// PEM file of the certificates to trust for blocking hooks instead of the system's.
    var blockingHookTrustFile: String?
    var logLevel: Logger.Level

    /// Reads and checks all settings.
    /// - Throws: ``Failure`` that names the setting and says what it should be.
    init(_ source: SettingsSource) throws(Failure) {
        let reader = SettingsReader(source: source)
        keyFile = try reader.required("keyFile")
        let isDevelopment = try reader.choice("mode", ["production": false, "development": true], or: false)
        projects = try reader.projects(isDevelopment: isDevelopment)
        directory = try reader.directory(of: projects, isDevelopment: isDevelopment)
        let threads = try reader.number("threads", in: 1...512, or: 16)
        let challengeProviders = try reader.challengeProviders(of: projects, servingThreads: threads)
        self.challengeProviders = challengeProviders
        appVerification =
            isDevelopment
            ? .trustEveryone
            : .required(
                askProvider: AppVerification.ProviderCheck(
                    mayBeGood: { challengeProviders.mayBeGood($0, in: $1) },
                    verdict: { challengeProviders.verdict(on: $0, clientAddress: $1, in: $2) }
                )
            )
        adminInterface =
            try reader.isEnabled("adminRoutes", or: isDevelopment)
            ? .served(tokenAudiences: source.list("adminTokenUrls")) : .none
        listen = try reader.listenAddress()
        maxBodyBytes = try reader.number("maxBodyBytes", in: 1024...10_485_760, or: 65_536)
        redis = try reader.redis()
        server = ServerConfiguration(
            threads: threads,
            activeThreads: try reader.number("activeThreads", in: 1...512, or: Self.activeThreads(using: redis)),
            maxBodyBytes: adminInterface.isServed ? max(maxBodyBytes, AdminInterface.maximumBodyBytes) : maxBodyBytes
        )
        requestDeadline = .seconds(try reader.number("requestDeadlineSeconds", in: 1...60, or: 5))
        drain = .seconds(try reader.number("drainSeconds", in: 0...300, or: 1))
        guard let shards = ShardCount(try reader.number("shards", in: 1...4096, or: ShardCount.standard.value)) else {
            throw Failure("\(SettingName.shown("shards")): expected a number from 1 to 4096")
        }
        self.shards = shards
        policy = try reader.policy()
        try reader.readAdmissionLimits(into: &policy, isDevelopment: isDevelopment)
        policy.development = try reader.development(isDevelopment)
        apns = try reader.apns()
        apnsCredentials = []
        for project in projects {
            for app in project.apps {
                guard let credential = try reader.apnsCredential(of: app.name, in: project.id) else { continue }
                apnsCredentials.append((project, app, credential))
            }
        }
        gateways = try reader.gateways()
        blockingHookTrustFile = source.text("blockingHookTrustFile")
        policy.tollFraud = try reader.tollFraud(gateways)
        let levels = Dictionary(uniqueKeysWithValues: Logger.Level.allCases.map { ($0.rawValue, $0) })
        logLevel = try reader.choice("logLevel", levels, or: .info)
    }

    /// Reads the key file.
    /// - Throws: ``Failure`` that names the file and its faulty field.
    func loadKeys() throws(Failure) -> ServerKeys {
        let text = try readFile(keyFile)
        do {
            let keys = try KeyFile.parse(text)
            keys.advance(to: Environment.system.now())
            return keys
        } catch {
            throw Failure("\(keyFile): \(error)")
        }
    }

    /// What the domain's operations need, for one thread of a command.
    func authenticator(_ keys: ServerKeys, for requester: Requester = .commandLine) -> Authenticator {
        Authenticator(
            store: Store(redis, shards: shards),
            keys: keys,
            policy: policy,
            phoneNumbers: PhoneNumbers(),
            appVerification: appVerification,
            caches: StoreCaches(policy.consistency),
            requester: requester,
            environment: .system
        )
    }

    /// Redis as a worker's threads use it: half of them may ask a second time at once.
    var redisOfServingThreads: ConnectionConfiguration {
        var redis = redis
        redis.secondTries = SecondTries(maximum: max(1, server.threads / 2))
        return redis
    }

    /// The project, where there is just one.
    var onlyProject: Project? { projects.count == 1 ? projects.first : nil }

    /// The project called `id`.
    /// - Throws: ``Failure`` where there is none.
    func project(_ id: String?) throws(Failure) -> Project {
        guard let id else {
            if let onlyProject { return onlyProject }
            throw Failure("there are several projects: choose one with --project")
        }
        guard let project = projects.first(where: { $0.id == id }) else { throw Failure("there is no project \(id)") }
        return project
    }
}
