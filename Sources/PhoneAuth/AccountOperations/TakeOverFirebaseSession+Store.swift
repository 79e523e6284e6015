internal import Encodings
internal import Redis
internal import RedisScripts

extension Store {
    /// Returns when a Firebase refresh token began a session; nil if it did not.
    /// - Throws: ``StoreUnavailable``.
    func firebaseTokenUse(_ token: FirebaseTokenIdentity) throws(StoreUnavailable) -> Instant? {
        let time = try send("GET", KeyNames.usedFirebaseToken(token)).bytes
        return time.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.map(Instant.init(milliseconds:))
    }

    /// Records that a Firebase refresh token began a session. The first time is remembered for `markMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func recordFirebaseTokenUse(
        _ token: FirebaseTokenIdentity,
        at now: Instant,
        markMilliseconds: Int64
    ) throws(StoreUnavailable) {
        let (key, time) = (KeyNames.usedFirebaseToken(token), String(now.milliseconds))
        _ = try send("SET", [key, time, "PX", String(markMilliseconds), "NX"], isConfirmed: true)
    }
}
