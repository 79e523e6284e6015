/// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 § 6.2.1), formerly GSM 03.38.
///
/// National language shift tables are left out: not every gateway and network supports them.
enum GSMAlphabet {
    private static let basic = Set(
        """
        @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
        """.unicodeScalars
    )
    private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

    /// Returns the number of septets of a character: 1, or 2 for the extension table, including the escape; nil if the
    /// alphabet lacks the character.
    static func septets(of scalar: Unicode.Scalar) -> Int? {
        if basic.contains(scalar) { return 1 }
        return extended.contains(scalar) ? 2 : nil
    }
}
