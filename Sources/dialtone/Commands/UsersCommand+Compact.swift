import ArgumentParser
import PhoneAuth
import RedisStore

extension UsersCommand {
    /// `dialtone users compact`.
    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Store the list of accounts in less memory, after an upgrade.",
            discussion: """
                Redis keeps a list of all accounts of a project, for exports and for back ends that list users. Its \
                present form takes about 90 bytes less for each account than the one of earlier versions. Workers \
                use the earlier form as long as it exists, because workers of an earlier version read no other. Run \
                this once for each project when all workers, dispatchers and commands are upgraded. Sign-ins and \
                exports continue; it can be stopped and run again at any time.
                """
        )

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let operation = try options.open()
            var progress = Progress("accounts moved")
            do throws(StoreUnavailable) {
                try operation.compactAccountList { progress.add($0) }
            } catch {
                progress.interrupt()
                throw Failure("\(error); run the command again to continue")
            }
            progress.finish()
            printLine("moved \(progress.count)")
        }
    }
}
