import AccountFiles
import ArgumentParser
import PhoneAuth
import RedisStore
import Threads

extension UsersCommand {
    /// `dialtone users export`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write all accounts of a project, in the order of their uids.",
            discussion: """
                Each account is written as it is at one moment; sign-ins go on meanwhile. One that is made or deleted meanwhile may be \
                in it or not, all others are in it once. The file holds numbers and addresses in the clear, so only its owner may \
                read it. It gets its name when it is whole. Recovery codes are not in it: they are only good where they were made.
                """
        )

        private static let pageSize = 500

        @OptionGroup var options: ProjectOptions
        @Option(
            help: "json-lines: an account a line, with all that is known of it; firebase: as auth:export writes.",
            transform: oneOf
        )
        var format = AccountFileFormat.jsonLines
        @Option(help: "The file; standard output where none is named.") var output: String?
        @Flag(help: "Replace a file that is there.") var force = false
        @Flag(help: "Write password hashes and the secrets of authenticator apps, too.") var withPasswordHashes = false
        @Option(help: "Only accounts behind this uid, to go on where an export to a pipe broke off.")
        var after: String?

        func run() throws {
            let (makeAuthenticator, project) = try options.openForThreads()
            let authenticator = makeAuthenticator()
            let file = try ExportFile(output, replaces: force)
            defer { file.discard() }
            if withPasswordHashes {
                writeToStandardError(
                    "the export holds password hashes and the secrets of authenticator apps: whoever has it can try passwords, and "
                        + "make codes\n"
                )
            }
            let writer = AccountFileWriter(format)
            let includesCredentials = withPasswordHashes
            var progress = Progress("accounts written")
            var (omittedPasswords, omittedSecondFactors) = (0, 0)
            var uids: (last: String?, isOver: Bool) = (after, false)
            try file.write(Array(writer.beginning.utf8))
            do {
                try workInOrder(
                    threads: UsersCommand.threads,
                    next: { () -> [String]? in
                        if uids.isOver { return nil }
                        let page = try authenticator.uids(after: uids.last, limit: Self.pageSize, in: project)
                        uids = (page.last, page.count < Self.pageSize)
                        return page
                    },
                    worker: {
                        let authenticator = makeAuthenticator()
                        return { uids in
                            let accounts = try authenticator.exportAccounts(
                                uids: uids,
                                includesCredentials: includesCredentials,
                                in: project
                            )
                            return writer.page(accounts)
                        }
                    },
                    take: { page in
                        guard page.accountCount > 0 else { return }
                        if progress.count > 0 { try file.write(Array(writer.separator.utf8)) }
                        try file.write(page.text)
                        omittedPasswords += page.omittedPasswordCount
                        omittedSecondFactors += page.omittedSecondFactorCount
                        progress.add(page.accountCount)
                    }
                )
            } catch ExportFailure.keysWrong {
                throw Failure("what accounts hold does not open with this key file: is it the deployment's?")
            } catch ExportFailure.unavailable(let store) {
                throw Failure("\(store)")
            } catch let store as StoreUnavailable {
                throw Failure("\(store)")
            }
            try file.write(Array(writer.end(isEmpty: progress.count == 0).utf8))
            try file.finish()
            progress.finish()
            for note in [note(on: omittedPasswords), note(onSecondFactors: omittedSecondFactors)] {
                if let note { writeToStandardError(note + "\n") }
            }
        }

        private func note(on omittedPasswords: Int) -> String? {
            guard omittedPasswords > 0 else { return nil }
            return withPasswordHashes
                ? "\(omittedPasswords) passwords are not in it: Firebase's format takes its own scrypt hashes only, all with the same "
                    + "parameters, and these are other ones"
                : "\(omittedPasswords) accounts have a password, which is not in it: --with-password-hashes writes them"
        }

        private func note(onSecondFactors omitted: Int) -> String? {
            guard omitted > 0 else { return nil }
            return format == .firebase
                ? "\(omitted) second factors are not in it: Firebase's format has no room for them"
                : "\(omitted) authenticator apps have no secret in it: --with-password-hashes writes them"
        }
    }
}
