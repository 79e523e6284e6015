@testable import PhoneAuth
@testable import RedisScripts

extension EmailActionToQueue {
    /// A link to sign in.
    static var example: EmailActionToQueue {
        let email = EmailIdentity(project: "demo", hash: "mailhash", shard: Shard(index: 23))
        return EmailActionToQueue(
            kind: .signIn,
            code: EmailCodeIdentity(project: "demo", hash: "code"),
            email: email,
            recipient: email,
            content: [1],
            mail: [2],
            lifetime: .seconds(3600),
            limits: [.mails(to: email, .hour(5))]
        )
    }
}
