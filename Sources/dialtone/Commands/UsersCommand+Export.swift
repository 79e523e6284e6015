import AccountFiles
import ArgumentParser
import PhoneAuth
import RedisScripts
import Threads

extension UsersCommand {
    /// `dialtone users export`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export all accounts of a project, sorted by uid.",
            discussion: """
                Sign-ins continue during the export. An account that is created or deleted meanwhile may be missing; \
                each other account is exported once, with its state at one moment. The file contains phone numbers \
                and e-mail addresses in clear text; only its owner can read it. It is renamed to its final name when \
                it is complete; until then, no other export can write to it. Recovery codes are not exported: they are \
                valid only in the deployment that created them.
                """
        )

        private static let pageSize = 500

        @OptionGroup var options: ProjectOptions
        @Option(
            help:
                "json-lines: one account per line, with all its data; firebase: the Firebase CLI's format.",
            transform: oneOf
        )
        var format = AccountFileFormat.jsonLines
        @Option(help: "The file. Default: standard output.", completion: .file()) var output: String?
        @Flag(help: "Replace an existing file.") var force = false
        @Flag(help: "Include password hashes and the secrets of authenticator apps.") var withPasswordHashes = false
        @Option(help: "Only accounts after this uid, to continue an interrupted export to a pipe.")
        var after: String?

        func run() throws {
            let (makeAuthenticator, project) = try options.openForThreads()
            let authenticator = makeAuthenticator()
            let file = try ExportFile(output, replaces: force)
            defer { file.discard() }
            if withPasswordHashes {
                writeToStandardError(
                    "the export contains password hashes and authenticator secrets: anyone who has it can guess "
                        + "passwords offline and generate codes\n"
                )
            }
            let writer = AccountFileWriter(format)
            let includesCredentials = withPasswordHashes
            let count = try authenticator.operation(in: project).accountCount()
            var progress = Progress("accounts written", of: Int(count))
            var (omittedPasswords, omittedSecondFactors) = (0, 0)
            var uids: (last: String?, isOver: Bool) = (after, false)
            try file.write(Array(writer.beginning.utf8))
            do {
                try workInOrder(
                    threads: UsersCommand.threads,
                    next: { () -> [String]? in
                        if uids.isOver { return nil }
                        let page = try authenticator.operation(in: project).uids(after: uids.last, limit: Self.pageSize)
                        uids = (page.last, page.count < Self.pageSize)
                        return page
                    },
                    worker: {
                        let authenticator = makeAuthenticator()
                        return { uids in
                            let accounts = try authenticator.operation(in: project).exportAccounts(
                                uids: uids,
                                includesCredentials: includesCredentials
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
                throw Failure("accounts cannot be decrypted with this key file: use the deployment's key file")
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
                ? "\(omittedPasswords) password hashes were not exported: Firebase's format has only Firebase scrypt "
                    + "hashes, all with the same parameters"
                : "\(omittedPasswords) password hashes were not exported: --with-password-hashes includes them"
        }

        private func note(onSecondFactors omitted: Int) -> String? {
            guard omitted > 0 else { return nil }
            return format == .firebase
                ? "\(omitted) second factors were not exported: Firebase's format cannot represent them"
                : "\(omitted) secrets of authenticator apps were not exported: --with-password-hashes includes them"
        }
    }
}
