import ArgumentParser
import Glibc
import PhoneAuth
import PhoneNumbers

/// `dialtone numbering`.
struct NumberingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "numbering",
        abstract: "Show and replace the numbering data: the regions, number ranges and formats of the world.",
        subcommands: [Show.self, Update.self],
        defaultSubcommand: Show.self
    )

    /// `dialtone numbering show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the version, the date and the source of the numbering data.",
            discussion: ReportOptions.help(Fact.self)
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let settings = try settings.load()
            let data = settings.phoneNumbers.data
            report.printFact("version", data.version)
            report.printFact("date", "\(data.date)")
            report.printFact("source", settings.numberingSource)
            if let reminder = data.reminder(at: Environment.system.now()) { report.printFact("consider", reminder) }
        }
    }

    /// The new data of `dialtone numbering update`.
    struct NewData: ParsableArguments {
        @Argument(
            help: """
                Numbering data of a newer release of Dialtone, or libphonenumber's PhoneNumberMetadata.xml \
                (https://github.com/google/libphonenumber/tree/master/resources).
                """,
            completion: .file()
        )
        var file: String

        @Option(help: "The version of an XML file, which does not state it, such as 9.0.43.")
        var release: String?

        @Option(help: "The date of an XML file's version, such as 2026-11-06.")
        var date: String?

        /// Reads and checks the data.
        func read() throws(Failure) -> NumberingData {
            let content = try readFile(file)
            do throws(NumberingDataError) {
                return try NumberingData(file: isXML(content) ? converted(content) : content)
            } catch {
                throw Failure("\(file): \(error)")
            }
        }

        private func isXML(_ content: [UInt8]) -> Bool {
            content.first { !" \n\r\t\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "<")
        }

        private func converted(_ content: [UInt8]) throws(NumberingDataError) -> [UInt8] {
            guard let release, let date else { throw .releaseNeeded }
            return try NumberingDataFile(xml: content, version: release, date: date).bytes
        }
    }

    /// `dialtone numbering update`.
    struct Update: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check new numbering data and replace the configured file.",
            discussion: """
                Replaces the file that \(DeploymentValues.name(of: \.numberingFile)) names, or creates it. Workers and \
                dispatchers use the new data within a second. Every machine needs the same file.
                """
        )

        @OptionGroup var new: NewData
        @OptionGroup var settings: SettingsOptions

        @Flag(help: "Accept data that are older than the present data.")
        var allowOlder = false

        @Option(
            help: "Write the data to this file instead of the configured one. If it is the configured one, update it.",
            completion: .file()
        )
        var output: String?

        func run() throws {
            let data = try new.read()
            let source = try SettingsSource(file: settings.file)
            let configured = source.text(DeploymentValues.name(of: \.numberingFile))
            if let output, configured.map({ !namesSameFile(output, $0) }) ?? true {
                try requireReplaceable(output)
                return try replace(output, with: data)
            }
            // Without the configured file, which may be damaged.
            let settings = try Settings(source)
            guard let file = settings.numberingFile else {
                throw Failure("\(DeploymentValues.name(of: \.numberingFile)) names no file to replace")
            }
            let present = (try? settings.numberingData()) ?? .builtIn
            if let old = NumberingVersion(present.version), let new = NumberingVersion(data.version), new < old,
                !allowOlder
            {
                throw Failure("\(data.version) is older than the present \(present.version): use --allow-older")
            }
            settings.phoneNumbers.use(data)
            try settings.requireKnownRegions()
            try replace(file, with: data)
            recordFileChange("numbering update \(data.title)", settings)
        }

        /// Refuses to overwrite another kind of file, such as a key file.
        private func requireReplaceable(_ file: String) throws {
            guard access(file, F_OK) == 0 else { return }
            guard let content = try? readFile(file), (try? NumberingData(file: content)) != nil else {
                throw Failure("\(file) exists and is no numbering data: remove it, or choose another file")
            }
        }

        private func replace(_ file: String, with data: NumberingData) throws {
            try replacePublicFile(file, data.file)
            printLine("\(file): numbering data \(data.title)")
        }
    }
}
