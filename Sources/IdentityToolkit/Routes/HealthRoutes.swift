internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Reports that the process is alive.
    static func health(_: Self, _: borrowing Request, _: RequestRecord) -> Response {
        .json(JSONWriter.object { $0.member("status", "ok") })
    }

    /// Reports whether the process can serve requests: it is not draining, Redis responds, and the current index key is
    /// in the key file. Other keys need no check, because a process without keys does not start. During an index key
    /// rotation workers stay ready: no worker could do more.
    static func checkReadiness(_ api: Self, _: borrowing Request, _: RequestRecord) throws(WireError) -> Response {
        guard !api.readiness.isDraining else { throw .unavailable(logDetail: "draining") }
        try StoreUnavailable.onWire(api.authenticator.checkStore())
        try IndexKeyRefusal.onWire(api.authenticator.useIndexKeyInForce(duringMove: .underFormerKey))
        return .json(JSONWriter.object { $0.member("status", "ready") })
    }
}
