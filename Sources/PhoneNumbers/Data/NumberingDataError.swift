/// Why numbering data cannot be used.
public enum NumberingDataError: Error, Equatable {
    /// Neither a data file of this version of Dialtone nor libphonenumber's XML.
    case notNumberingData
    /// A line or element that cannot be read.
    case malformed(String)
    /// A pattern with syntax that is not supported.
    case pattern(String)
    /// An XML file, whose version and date must be given.
    case releaseNeeded
    /// Fewer regions than the world has.
    case incomplete(regions: Int)
    /// No region has a calling code of this release's data.
    case callingCodeMissing(Int)
    /// An example number that the data themselves call invalid.
    case exampleInvalid(region: String, example: String)
}

extension NumberingDataError: CustomStringConvertible {
    /// One line for the operator.
    public var description: String {
        switch self {
        case .notNumberingData: "neither numbering data of Dialtone nor a PhoneNumberMetadata.xml"
        case .malformed(let text): "\"\(text)\" cannot be read"
        case .pattern(let text): "the pattern \"\(text)\" is malformed or not supported"
        case .releaseNeeded: "the XML form does not state its version and date: use --release and --date"
        case .incomplete(let regions): "only \(regions) regions: the file is incomplete"
        case .callingCodeMissing(let code): "no region has +\(code): the file is incomplete"
        case .exampleInvalid(let region, let example):
            "the example number \(example) of \(region) does not match the data"
        }
    }
}
