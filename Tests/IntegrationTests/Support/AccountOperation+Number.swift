import Encodings
import TestServers
import Testing

/// Operations that add, use and remove numbers.
extension AccountOperation {
    static let byNumber = [
        AccountOperation("sign-up with a number", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            return Attempt(
                request: try server.preparedAnswer(number),
                again: { try server.prove(number) },
                check: { answer in
                    let again = try server.prove(number)
                    #expect(again["localId"] == answer["localId"] && again.json["isNewUser"] == .bool(false))
                },
                accountsMade: 1
            )
        },
        AccountOperation("sign-in with a number", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            let uid = try #require(try server.prove(number)["localId"])
            return Attempt(
                request: try server.preparedAnswer(number),
                again: { try server.prove(number) },
                check: { #expect($0["localId"] == uid && $0.json["isNewUser"] == .bool(false)) },
                kept: [uid],
                accountsMade: 0
            )
        },
        AccountOperation("sign-in with the number of an account that is gone", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            let gone = try server.prove(number)
            // The state after a worker died between deleting the account and releasing the number.
            let findClaim = """
                for _, key in ipairs(redis.call('KEYS', 'dt:{*}:phone:*')) do
                  local claim = redis.call('GET', key)
                  if string.sub(claim, -#ARGV[1]) == ARGV[1] then return {key, claim} end
                end
                """
            let found = server.redis.cli("EVAL", findClaim, "0", try #require(gone["localId"])).split(separator: "\n")
            try #require(found.count == 2)
            let deletion = #"{"idToken":"\#(try #require(gone["idToken"]))"}"#
            #expect(try server.post("/v1/accounts:delete", deletion).status == 200)
            server.redis.cli("SET", String(found[0]), String(found[1]))
            return Attempt(
                request: try server.preparedAnswer(number),
                again: { try server.prove(number) },
                check: { answer in
                    let again = try server.prove(number)
                    #expect(answer["localId"] != gone["localId"] && answer["localId"] == again["localId"])
                },
                accountsMade: 1
            )
        },
        AccountOperation("a number for an anonymous account", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            let user = try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
            let uid = try #require(user["localId"])
            let proof = #","idToken":"\#(try #require(user["idToken"]))""#
            return Attempt(
                request: try server.preparedAnswer(number, proof),
                again: { try server.prove(number, proof) },
                check: { answer in
                    let again = try server.prove(number)
                    #expect(answer["localId"] == uid && again["localId"] == uid)
                },
                kept: [uid],
                accountsMade: 0
            )
        },
        AccountOperation("another number for an account", isRepeatable: true) { test in
            let (server, former, next) = (test.server, test.newNumber(), test.newNumber())
            let user = try server.prove(former)
            let uid = try #require(user["localId"])
            let proof = #","idToken":"\#(try #require(user["idToken"]))""#
            return Attempt(
                request: try server.preparedAnswer(next, proof),
                again: { try server.prove(next, proof) },
                check: { answer in
                    let again = try server.prove(next)
                    #expect(answer["localId"] == uid && answer["phoneNumber"] == next && again["localId"] == uid)
                    let other = try server.prove(former)
                    #expect(other["localId"] != uid && other.json["isNewUser"] == .bool(true))
                },
                kept: [uid],
                accountsMade: 1
            )
        },
        AccountOperation("giving a number up", isRepeatable: false) { test in
            let (server, number) = (test.server, test.newNumber())
            let user = try server.prove(number)
            let uid = try #require(user["localId"])
            let idToken = try #require(user["idToken"])
            let request = { try server.update(idToken, #""deleteProvider":["phone"]"#) }
            return Attempt(
                request: request,
                again: request,
                check: { _ in
                    let lookup = try server.lookUp(idToken)
                    #expect(lookup.status == 200)
                    let other = try server.prove(number)
                    #expect(other["localId"] != uid && other.json["isNewUser"] == .bool(true))
                },
                kept: [uid],
                accountsMade: 1
            )
        },
        AccountOperation("sign-in with a temporary proof", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            let owner = try #require(try server.prove(number)["localId"])
            let stranger = try #require(try server.prove(test.newNumber())["idToken"])
            let proof = try #require(try server.prove(number, #","idToken":"\#(stranger)""#)["temporaryProof"])
            return Attempt(
                request: {
                    try server.post(
                        "/v1/accounts:signInWithPhoneNumber",
                        #"{"phoneNumber":"\#(number)","temporaryProof":"\#(proof)"}"#
                    )
                },
                again: { try server.prove(number) },
                check: { #expect($0["localId"] == owner) },
                kept: [owner],
                accountsMade: 0
            )
        },
        AccountOperation("deletion of an account with a number", isRepeatable: true) { test in
            let (server, number) = (test.server, test.newNumber())
            let user = try server.prove(number)
            let idToken = try #require(user["idToken"])
            return Attempt(
                request: { try server.delete(idToken) },
                again: { try server.delete(idToken) },
                check: { _ in
                    let lookup = try server.lookUp(idToken)
                    #expect(lookup.errorMessage == "USER_NOT_FOUND")
                    let other = try server.prove(number)
                    #expect(other["localId"] != user["localId"] && other.json["isNewUser"] == .bool(true))
                },
                accountsMade: 0
            )
        },
    ]
}
