internal import DialtoneTexts
internal import Encodings

extension ChallengePage {
    /// The data for the page's script: the challenge or the widget, the texts, and the links to open on failure.
    var data: [UInt8] {
        JSONWriter.object { json in
            switch content {
            case .proofOfWork(let challenge, let callback):
                json.object("challenge") { challenge.write(to: &$0) }
                writeEndings(to: &json, callback)
            case .provider(let provider, let callback):
                json.object("provider") { provider.write(to: &$0, language) }
                writeEndings(to: &json, callback)
            case .refused, .failed: break
            }
        }
    }

    private func writeEndings(to json: inout JSONWriter, _ callback: Callback) {
        json.member("prefix", callback.prefix)
        json.object("texts") { json in
            json.member("checkFailed", language.text(.checkFailed))
            json.member("networkRequestFailed", language.text(.networkFailed))
            json.member("internalError", language.text(.serverFailed))
            json.member("tooManyRequests", language.text(.tooManyRequests))
            json.member("confirm", language.text(.confirm))
        }
        json.object("links") { json in
            json.member("checkFailed", callback.link(error: .checkFailed).url)
            json.member("networkRequestFailed", callback.link(error: .networkRequestFailed).url)
            json.member("internalError", callback.link(error: .internalError).url)
            json.member("tooManyRequests", callback.link(error: .tooManyRequests).url)
        }
    }
}
