import Encodings
import PhoneNumbers
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Changes of a project's configuration by operators while workers run.
    @Suite struct ChangeConfigurationTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        private func change(_ json: String, _ mask: String...) throws -> CurrentConfiguration {
            guard case .object(let members) = try JSONValue.parse(Array(json.utf8)) else {
                throw ConfigurationRefusal("no object")
            }
            return try authenticator.in(project).changeConfiguration(members, mask: mask)
        }

        private func refusal(_ json: String, _ mask: String...) throws -> String {
            guard case .object(let members) = try JSONValue.parse(Array(json.utf8)) else { return "no object" }
            do {
                _ = try authenticator.in(project).changeConfiguration(members, mask: mask)
                return "none"
            } catch {
                if case .configurationInvalid(let refusal) = error { return refusal.explanation }
                return "\(error)"
            }
        }

        @Test("changed members override the settings, and all others follow the settings")
        func overrides() throws {
            #expect(try authenticator.configured(project) == project)
            _ = try change(#"{"signIn":{"phoneNumber":{"enabled":false}}}"#, "signIn.phoneNumber.enabled")
            var configured = try authenticator.configured(project)
            #expect(!configured.isPhoneSignInEnabled)
            #expect(configured.authorizedDomains == project.authorizedDomains)
            // Another worker, whose settings have changed.
            let other = Project(id: project.id, authorizedDomains: ["new.example"], isAnonymousSignInEnabled: true)
            configured = try deployment.authenticator().configured(other)
            #expect(!configured.isPhoneSignInEnabled && configured.isAnonymousSignInEnabled)
            #expect(configured.authorizedDomains == ["new.example"])
        }

        @Test("members that only settings determine are unchanged, such as the token issuer and the cookie name")
        func unchangeable() throws {
            let project = Project(
                id: project.id,
                ownIssuer: try TokenIssuer("https://auth.example.com", of: project.id),
                sessionCookieName: "__Host-session",
                authorizedDomains: ["localhost"],
                hasDefaultDomains: true
            )
            _ = try change(#"{"signIn":{"phoneNumber":{"enabled":false}}}"#, "signIn.phoneNumber.enabled")
            var configured = try authenticator.configured(project)
            #expect(configured.idTokenIssuer == "https://auth.example.com")
            configured.isPhoneSignInEnabled = true
            #expect(configured == project)
        }

        @Test("domains count as named once an operator changes them, but not if the default ones are sent back")
        func namedDomains() throws {
            let project = Project(id: project.id, authorizedDomains: ["localhost"], hasDefaultDomains: true)
            for (domains, named) in [(#"["localhost"]"#, []), (#"["app.example.com"]"#, ["app.example.com"])] {
                _ = try change(#"{"authorizedDomains":\#(domains)}"#, "authorizedDomains")
                #expect(try deployment.authenticator().configured(project).namedDomains == named)
            }
        }

        @Test("a stored domain that cannot be parsed is not authorized, and the rest of the configuration applies")
        func unreadableDomain() throws {
            for (domains, readable) in [(#""a b","app.example.com""#, ["app.example.com"]), (#""a b""#, [])] {
                let document = #"{"authorizedDomains":[\#(domains)],"signIn":{"phoneNumber":{"enabled":false}}}"#
                let key = "dt:{\(project.id)}:configuration"
                deployment.cli("HSET", key, "version", "1", "document", document)
                let configured = try deployment.authenticator().configured(project)
                #expect(configured.authorizedDomains == readable && !configured.isPhoneSignInEnabled)
            }
            let changed = try change(#"{"authorizedDomains":["b.example.com"]}"#, "authorizedDomains")
            #expect(changed.project.authorizedDomains == ["b.example.com"])
        }

        @Test("a member reset to its setting stays reset, even if an older request arrives concurrently")
        func changedBack() throws {
            let path = "signIn.phoneNumber.enabled"
            _ = try change(#"{"signIn":{"phoneNumber":{"enabled":false}}}"#, path)
            let configured = try authenticator.configured(project)
            #expect(!configured.isPhoneSignInEnabled)
            _ = try change("{}", path)
            let other = deployment.authenticator(caches: StoreCaches(lifetime: .seconds(60)))
            _ = try other.settings(of: configured)
            #expect(try other.configured(project) == project)
        }

        @Test("a member that the mask names and the body lacks follows the settings again")
        func masks() throws {
            _ = try change(
                #"{"signIn":{"phoneNumber":{"enabled":false},"email":{"enabled":true}},"authorizedDomains":["a.example"]}"#,
                "signIn.phoneNumber.enabled",
                "signIn.email",
                "authorizedDomains"
            )
            #expect(
                try authenticator.in(project).configuration().changedPaths
                    == ["signIn.phoneNumber.enabled", "signIn.email.enabled", "authorizedDomains"]
            )
            let existing = try change(#"{"mfa":{"state":"ENABLED"}}"#, "signIn.phoneNumber.enabled", "mfa.state")
            #expect(existing.project.isPhoneSignInEnabled && existing.project.isPasswordSignInEnabled)
            #expect(existing.project.secondFactors.state == .optional)
            #expect(try change("{}", "signIn").changedPaths == ["authorizedDomains", "mfa.state"])
            // An empty mask covers every member.
            #expect(try change(#"{"mfa":{"state":"DISABLED"}}"#).changedPaths == ["mfa.state"])
            try authenticator.in(project).resetConfiguration()
            #expect(try authenticator.in(project).configuration().changedPaths.isEmpty)
        }

        @Test("one kind of region list replaces the other")
        func regions() throws {
            let allowed = try change(
                #"{"smsRegionConfig":{"allowlistOnly":{"allowedRegions":["DE","AT"]}}}"#,
                "smsRegionConfig"
            )
            let germanAndAustrian = try Set([#require(Region("DE")), #require(Region("AT"))])
            #expect(allowed.project.smsRegions == .allowlistOnly(allowed: germanAndAustrian))
            let disallowed = try change(
                #"{"smsRegionConfig":{"allowByDefault":{"disallowedRegions":["DE"]}}}"#,
                "smsRegionConfig.allowByDefault.disallowedRegions"
            )
            #expect(disallowed.project.smsRegions == .allowByDefault(disallowed: [try #require(Region("DE"))]))
            #expect(try change("{}", "smsRegionConfig").project.smsRegions == project.smsRegions)
        }

        @Test("second factors are read in the protocol's format")
        func secondFactors() throws {
            let existing = try change(
                """
                {"mfa":{"state":"MANDATORY","enabledProviders":["PHONE_SMS"],"providerConfigs":[
                  {"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":5}}]}}
                """,
                "mfa.state",
                "mfa.enabledProviders",
                "mfa.providerConfigs"
            )
            let expected = SecondFactorPolicy(state: .required, allowsSMS: true, adjacentIntervals: 5)
            #expect(existing.project.secondFactors == expected)
            let without = try change(
                #"{"mfa":{"enabledProviders":[],"providerConfigs":[]}}"#,
                "mfa.enabledProviders",
                "mfa.providerConfigs"
            )
            #expect(without.project.secondFactors == SecondFactorPolicy(state: .required))
            let asBefore = try change("{}", "mfa.enabledProviders", "mfa.providerConfigs", "mfa.state")
            #expect(asBefore.project.secondFactors == project.secondFactors)
        }

        @Test("each blocking hook overrides the settings individually")
        func blockingHooks() throws {
            let hook = try ServiceURL("https://hooks.example/a?b=c")
            let ofSettings = try ServiceURL("https://hooks.example/settings")
            let other = Project(
                id: project.id,
                authorizedDomains: [],
                blockingHooks: BlockingHooks(
                    beforeCreate: ofSettings,
                    beforeSignIn: ofSettings,
                    beforeSecondFactorEnrollment: ofSettings
                )
            )
            for event in BlockingHookEvent.allCases {
                _ = try change(
                    #"{"blockingFunctions":{"triggers":{"\#(event)":{"functionUri":"https://hooks.example/a?b=c"}}}}"#,
                    "blockingFunctions"
                )
                let configured = try authenticator.configured(other).blockingHooks
                for other in BlockingHookEvent.allCases {
                    #expect(configured[other] == (other == event ? hook : ofSettings))
                }
            }
            let path = "blockingFunctions.triggers.beforeSecondFactorEnrollment.functionUri"
            #expect(try authenticator.in(other).configuration().changedPaths == [path])
            _ = try change("{}", path)
            #expect(try authenticator.configured(other).blockingHooks == other.blockingHooks)
        }

        @Test("test numbers are replaced as a whole, and are unchanged if the mask does not name them")
        func testNumbers() throws {
            func numbers() throws -> [String: String] {
                try authenticator.in(project).testNumbers().mapValues(\.digits)
            }
            let two =
                #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550101":"271828","+16505550102":"314159"}}}}"#
            _ = try change(two, "signIn.phoneNumber.testPhoneNumbers")
            #expect(try numbers() == ["+16505550101": "271828", "+16505550102": "314159"])
            _ = try change(#"{"signIn":{"anonymous":{"enabled":true}}}"#, "signIn.anonymous.enabled")
            #expect(try numbers().count == 2)
            let one = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550101":"161803"}}}}"#
            _ = try change(one, "signIn")
            #expect(try numbers() == ["+16505550101": "161803"])
            #expect(try authenticator.in(project).configuration().changedPaths.isEmpty)
            for wrong in [#"{"+1650":"123456"}"#, #"{"+16505550101":"12345"}"#, #"{"+16505550101":123456}"#, "[]"] {
                let json = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":"# + wrong + "}}}"
                #expect(try refusal(json, "signIn.phoneNumber.testPhoneNumbers") == "testNumberInvalid")
            }
            let weak = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550101":"123456"}}}}"#
            #expect(try refusal(weak).hasPrefix(#"testCodeWeak(digits: "123456", "#))
            let many = (0...10).map { #""\#(fictionalNumber($0))":"271828""# }.joined(separator: ",")
            let tooMany = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"# + many + "}}}}"
            #expect(try refusal(tooMany) == "tooManyTestNumbers")
            #expect(try numbers() == ["+16505550101": "161803"])
            _ = try change("{}")
            #expect(try numbers().isEmpty)
        }

        static let wrongChanges: [(json: String, mask: String, explanation: String)] = [
            (#"{"x":1}"#, "", #"Unknown name "x"."#),
            (#"{"signIn":{"phone":{}}}"#, "", #"Unknown name "phone" at "signIn"."#),
            ("{}", "x", #"Invalid field mask: "x"."#),
            ("{}", "signIn.phone", #"Invalid field mask: "signIn.phone"."#),
            ("{}", "signIn.phoneNumber.enabled.x", #"Invalid field mask: "signIn.phoneNumber.enabled.x"."#),
            (#"{"signIn":true}"#, "", "signIn must be an object."),
            (#"{"signIn":{"anonymous":{"enabled":"yes"}}}"#, "", "signIn.anonymous.enabled must be true or false."),
            (
                #"{"signIn":{"email":{"passwordRequired":0}}}"#, "signIn.email",
                "signIn.email.passwordRequired must be true or false."
            ),
            (
                #"{"authorizedDomains":["a b"]}"#, "",
                #"authorizedDomains must be host names, with a port if it is not 443: "a b"."#
            ),
            (#"{"authorizedDomains":[1]}"#, "", "authorizedDomains must be a list of strings."),
            (
                #"{"smsRegionConfig":{"allowlistOnly":{"allowedRegions":["UK"]}}}"#, "",
                "smsRegionConfig.allowlistOnly.allowedRegions must be region codes such as US (ISO 3166-1 alpha-2)."
            ),
            (
                #"{"smsRegionConfig":{"allowlistOnly":{},"allowByDefault":{}}}"#, "",
                "smsRegionConfig.allowlistOnly and allowByDefault cannot both be there."
            ),
            (
                #"{"blockingFunctions":{"triggers":{"beforeCreate":{"functionUri":"http://hooks.example"}}}}"#, "",
                "blockingFunctions.triggers.beforeCreate.functionUri must be an https address without user name or fragment."
            ),
            (#"{"mfa":{"state":"ON"}}"#, "mfa", "mfa.state must be DISABLED, ENABLED or MANDATORY."),
            (
                #"{"mfa":{"providerConfigs":[{"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":11}}]}}"#, "",
                "mfa.providerConfigs.totpProviderConfig.adjacentIntervals must be 0 to 10."
            ),
        ]

        @Test("an error names the invalid member, and nothing changes", arguments: wrongChanges)
        func faults(json: String, mask: String, explanation: String) throws {
            _ = try change(#"{"mfa":{"state":"ENABLED"}}"#, "mfa.state")
            #expect(try mask.isEmpty ? refusal(json) == explanation : refusal(json, mask) == explanation)
            #expect(try authenticator.in(project).configuration().changedPaths == ["mfa.state"])
        }

        @Test("racing changes of different members are all applied")
        func racing() throws {
            let changes = [
                (#"{"signIn":{"phoneNumber":{"enabled":false}}}"#, "signIn.phoneNumber.enabled"),
                (#"{"signIn":{"email":{"enabled":true}}}"#, "signIn.email.enabled"),
                (#"{"signIn":{"anonymous":{"enabled":true}}}"#, "signIn.anonymous.enabled"),
                (#"{"authorizedDomains":["a.example"]}"#, "authorizedDomains"),
            ]
            _ = try inParallel(changes.count) { [deployment, project] racer in
                let (json, mask) = changes[racer]
                guard case .object(let members) = try JSONValue.parse(Array(json.utf8)) else { return }
                _ = try deployment.authenticator().in(project).changeConfiguration(members, mask: [mask])
            }
            #expect(try authenticator.in(project).configuration().changedPaths.count == changes.count)
        }
    }
}
