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
                current format takes about 90 bytes less per account than the earlier format. Workers use the \
                earlier format for as long as it exists, because earlier workers can read no other. Run this command \
                once per project after all workers, dispatchers and commands are upgraded. Sign-ins and exports \
                continue meanwhile. The command can be stopped and run again at any time.
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
            printLine("moved \(progress.count) accounts")
        }
    }
}
