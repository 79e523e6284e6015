import Encodings
import Logging
import PhoneAuth
import PhoneNumbers
import SMSGateways

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
    /// - Throws: ``Failure`` that names the file, or the settings with a region that the data do not have.
    func loadNumberingData() throws(Failure) {
        if numberingFile != nil { phoneNumbers.use(try numberingData()) }
        try requireKnownRegions()
    }

    /// Finds typing errors such as `UK` instead of `GB`.
    /// - Throws: ``Failure`` if the numbering data in use do not have a region that a setting names.
    func requireKnownRegions() throws(Failure) {
        let unknown = namedRegions.flatMap { setting, codes in
            codes.filter { Region($0).map { !phoneNumbers.knows($0) } ?? true }.sorted().map { code in
                "\(setting): \(code) is not a region of the numbering data \(phoneNumbers.data.title)"
            }
        }
        guard unknown.isEmpty else { throw Failure(lines: unknown) }
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

extension ReadSettings {
    /// Returns the region codes in each setting that names regions.
    func namedRegions(_ routes: GatewayRoutes?) -> [(setting: String, codes: [String])] {
        var named: [(setting: String, codes: [String])] = []
        for project in projects.map(\.project) {
            for property in [\ProjectValues.allowedRegions, \.disallowedRegions] {
                let regions = project[dynamicMember: property] ?? []
                named.append((project.name(of: property), regions.map(\.description)))
            }
        }
        for gateway in gateways {
            named.append((gateway.name(of: \.prices), gateway.prices.map { Array($0.regions.keys) } ?? []))
        }
        named.append((deployment.name(of: \.spendCaps), deployment.spendCaps.map { Array($0.regions.keys) } ?? []))
        let channels = deployment.resendChannels
        named.append((deployment.name(of: \.resendChannels), channels.map { Array($0.regions.keys) } ?? []))
        named.append((deployment.name(of: \.gatewayRoutes), routes.map { Array($0.byName.regions.keys) } ?? []))
        return named
    }
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
