/// The page's files as they are used in responses. They are in `Assets` and are compiled into the binary.
public enum PageAssets {
    /// The script that computes QR codes.
    public static let qrCode = PackageResources.qr_code_js

    static let document = Template(PackageResources.document_html)
    static let frame = Template(PackageResources.frame_html)
    static let challenge = Template(PackageResources.challenge_html)
    static let refused = Template(PackageResources.refused_html)
    static let failed = Template(PackageResources.failed_html)
    static let refusalWithLink = Template(PackageResources.refused_back_html)

    static let style = Markup(own: PackageResources.page_css)
    static let proofOfWork = OwnScript.compact(PackageResources.proof_of_work_js)
    static let challengeScript = Markup(own: proofOfWork + OwnScript.compact(PackageResources.challenge_js))
    static let refusedScript = Markup(own: OwnScript.compact(PackageResources.refused_js))
}

/// Dialtone's own JavaScript, in the form in which it is sent.
enum OwnScript {
    /// Returns the script without indentation and comment lines, which are about a quarter of its bytes.
    ///
    /// Valid only for scripts without strings or templates that span several lines.
    static func compact(_ file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let code = line.drop { $0 == UInt8(ascii: " ") }
            if code.starts(with: "//".utf8) || code.starts(with: "/*".utf8) || code.first == UInt8(ascii: "*") {
                continue
            }
            bytes.append(contentsOf: code)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
