import Encodings
import TestServers
import Testing

/// Operations that add, use and remove e-mail addresses.
extension AccountOperation {
    static let byEmail = [
        AccountOperation("sign-up with an e-mail address", isRepeatable: false) { test in
            let (server, email) = (test.server, test.newEmail())
            return Attempt(
                request: { try server.signUp(email) },
                again: {
                    // If the account already exists, the app reports it and asks for the password.
                    let again = try server.signUp(email)
                    return again.errorMessage == "EMAIL_EXISTS" ? try server.signIn(email: email) : again
                },
                check: { answer in
                    let again = try server.signIn(email: email)
                    #expect(again["localId"] == answer["localId"])
                },
                accountsMade: 1
            )
        },
        AccountOperation("sign-in with a password", isRepeatable: false) { test in
            let (server, email) = (test.server, test.newEmail())
            let uid = try #require(try server.signUp(email)["localId"])
            return Attempt(
                request: { try server.signIn(email: email) },
                again: { try server.signIn(email: email) },
                check: { #expect($0["localId"] == uid) },
                kept: [uid],
                accountsMade: 0
            )
        },
        AccountOperation("sign-in with a link to a new e-mail address", isRepeatable: false) { test in
            let (server, email) = (test.server, test.newEmail())
            let code = try server.emailCode(toSignIn: email)
            return Attempt(
                request: { try server.signIn(email, link: code) },
                again: { try server.signIn(email, link: try server.emailCode(toSignIn: email)) },
                check: { answer in
                    let again = try server.signIn(email, link: try server.emailCode(toSignIn: email))
                    #expect(again["localId"] == answer["localId"])
                },
                accountsMade: 1
            )
        },
        AccountOperation("a link that takes an unverified address from an account with a number", isRepeatable: false) {
            test in
            let (server, number, email) = (test.server, test.newNumber(), test.newEmail())
            let idToken = try #require(try server.prove(number)["idToken"])
            let uid = try #require(try server.update(idToken, #""email":"\#(email)""#)["localId"])
            let code = try server.emailCode(toSignIn: email)
            return Attempt(
                request: { try server.signIn(email, link: code) },
                again: { try server.signIn(email, link: try server.emailCode(toSignIn: email)) },
                check: { answer in
                    let byNumber = try server.prove(number)
                    #expect(answer["localId"] != uid && byNumber["localId"] == uid)
                },
                kept: [uid],
                accountsMade: 1
            )
        },
        AccountOperation("an e-mail address for an account with a number", isRepeatable: false) { test in
            let (server, number, email) = (test.server, test.newNumber(), test.newEmail())
            let uid = try #require(try server.prove(number)["localId"])
            // The change ends earlier tokens, so a client that retries has signed in again.
            let link = { (idToken: String) in
                try server.update(idToken, #""email":"\#(email)","password":"correct horse""#)
            }
            let idToken = try #require(try server.prove(number)["idToken"])
            return Attempt(
                request: { try link(idToken) },
                again: { try link(try #require(try server.prove(number)["idToken"])) },
                check: { answer in
                    let (byEmail, byNumber) = (try server.signIn(email: email), try server.prove(number))
                    #expect([answer, byEmail, byNumber].allSatisfy { $0["localId"] == uid })
                },
                kept: [uid],
                accountsMade: 0
            )
        },
        AccountOperation("another e-mail address for an account", isRepeatable: false) { test in
            let (server, former, next) = (test.server, test.newEmail(), test.newEmail())
            let user = try server.signUp(former)
            let uid = try #require(user["localId"])
            let idToken = try #require(user["idToken"])
            return Attempt(
                request: { try server.update(idToken, #""email":"\#(next)""#) },
                again: {
                    let known = try server.signIn(email: next)
                    if known.status == 200 { return known }
                    let idToken = try #require(try server.signIn(email: former)["idToken"])
                    return try server.update(idToken, #""email":"\#(next)""#)
                },
                check: { answer in
                    let again = try server.signIn(email: next)
                    #expect(answer["localId"] == uid && again["localId"] == uid)
                    let other = try server.signUp(former)
                    #expect(other.status == 200 && other["localId"] != uid)
                },
                kept: [uid],
                accountsMade: 1
            )
        },
        AccountOperation("deletion of an account with number and e-mail address", isRepeatable: true) { test in
            let (server, number, email) = (test.server, test.newNumber(), test.newEmail())
            let first = try #require(try server.prove(number)["idToken"])
            let linked = try server.update(first, #""email":"\#(email)","password":"correct horse""#)
            let uid = try #require(linked["localId"])
            let idToken = try #require(linked["idToken"])
            return Attempt(
                request: { try server.delete(idToken) },
                again: { try server.delete(idToken) },
                check: { _ in
                    let lookup = try server.lookUp(idToken)
                    #expect(lookup.errorMessage == "USER_NOT_FOUND")
                    for other in [try server.prove(number), try server.signUp(email)] {
                        #expect(other.status == 200 && other["localId"] != uid)
                    }
                },
                accountsMade: 1
            )
        },
    ]
}
