extension E164 {
    /// The region whose lists, prices and spending caps apply to the number: its own or, if the numbering data do not
    /// know the number, the main region of its calling code.
    ///
    /// So an unknown number of +1 counts as US, and a list that allows only Jamaica does not allow it.
    public var effectiveRegion: Region { region ?? mainRegion }
}

extension PhoneNumbers {
    /// Returns the region of a number for operators, and whether the numbering data do not know the number.
    public func regionInWords(of phone: E164) -> String {
        phone.isValid
            ? phone.effectiveRegion.description
            : "\(phone.effectiveRegion), not in numbering data of \(data.date)"
    }
}
