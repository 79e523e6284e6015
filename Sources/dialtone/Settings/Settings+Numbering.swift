import Encodings
import Logging
import PhoneAuth
import PhoneNumbers

extension Settings {
    /// Reads the numbering data: the configured file, or the data of this release.
    /// - Throws: ``Failure`` that names the file.
    func numberingData() throws(Failure) -> NumberingData {
        guard let numberingFile else { return .builtIn }
        let content = try readFile(numberingFile)
        do throws(NumberingDataError) {
            return try NumberingData(file: content)
        } catch {
            throw Failure("\(numberingFile): \(error)")
        }
    }

    /// Puts the configured numbering data in use.
    func loadNumberingData() throws(Failure) {
        if numberingFile != nil { phoneNumbers.use(try numberingData()) }
    }

    /// Returns a watch that puts a changed file of numbering data in use; none if no file is configured.
    func numberingFileWatch(_ logger: Logger) -> [FileWatch] {
        guard let numberingFile else { return [] }
        let message: Logger.Message = "the numbering file cannot be used: the numbering data stay unchanged"
        let numbers = phoneNumbers
        return [
            FileWatch(numberingFile, message, logger) { content in
                let data = try NumberingData(file: content)
                guard data.file != numbers.data.file else { return }
                numbers.use(data)
                logger.info(
                    "the numbering data changed",
                    metadata: ["version": "\(data.version)", "date": "\(data.date)"]
                )
            }
        ]
    }

    /// Where the numbering data come from.
    var numberingSource: String { numberingFile ?? "built in" }
}

extension NumberingData {
    /// The version and the date.
    var title: String { "\(version) of \(date)" }

    /// A reminder if the data are more than a year old.
    func reminder(at now: Instant) -> String? {
        guard let published, now - published > .seconds(366 * 86_400) else { return nil }
        return "the numbering data are of \(date): newer number ranges count as unknown. "
            + "Update Dialtone, or replace the data: dialtone numbering update"
    }
}
