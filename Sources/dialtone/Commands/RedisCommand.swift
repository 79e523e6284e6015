import ArgumentParser
import PhoneAuth
import Redis
import RedisScripts

/// `dialtone redis`.
struct RedisCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redis",
        abstract: "Connect a new or emptied Redis with the deployment's keys.",
        subcommands: [Adopt.self]
    )

    /// `dialtone redis adopt`.
    struct Adopt: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark an empty Redis as that of the key file's deployment. Workers use no other Redis.",
            discussion: """
                Run it once for a new deployment, and again only after you have decided to start without the data of \
                a lost Redis. It never changes a Redis that is another deployment's. The mark is a keyed hash and \
                reveals nothing about the keys.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(help: "Mark a Redis that has data and no mark. Only if these keys wrote all of its data.")
        var withData = false
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            let settings = try settings.load()
            if withData { try confirmation.ask("Did the keys of \(settings.keyFile) write all data of this Redis?") }
            let marks = try settings.loadKeys().deploymentMarks
            let adoption = try Failure.wrapping(
                Store.adopt(settings.redis, shards: settings.shards, marks: marks, withData: withData)
            ) { (error: StoreUnavailable) in "\(settings.redis.servers): \(error)" }
            let fingerprint = DeploymentMarks.fingerprint(marks.keys)
            switch adoption {
            case .adopted:
                recordFileChange("redis adopt" + (withData ? " --with-data" : ""), settings)
                printLine("\(settings.redis.servers)  now belongs to the deployment \(fingerprint)")
            case .known: printLine("\(settings.redis.servers)  belongs to the deployment \(fingerprint)")
            case .refused(let mismatch): throw Failure("\(settings.redis.servers): this Redis \(mismatch)")
            case .isBeingRestored:
                throw Failure("\(settings.redis.servers): a backup was restored in part: run dialtone restore again")
            case .hasData:
                throw Failure(
                    """
                    \(settings.redis.servers): this Redis has data of Dialtone and no mark; use --with-data only if \
                    the keys of \(settings.keyFile) wrote it
                    """
                )
            }
        }
    }
}
