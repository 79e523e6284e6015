/// The page's files as they are used in responses. They are in `Assets` and are compiled into the binary.
enum PageAssets {
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
