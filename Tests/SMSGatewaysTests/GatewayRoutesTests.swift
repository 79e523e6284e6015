import PhoneNumbers
import SMSGateways
import Testing

@Suite struct GatewayRoutesTests {
    private static let text = """
        +1876=webhook,twilio; JM = twilio ,
        vonage;+1=twilio;+18765=local;001=vonage
        *=vonage,twilio;
        """

    @Test(
        "the longest prefix wins, then the region, then the default",
        arguments: [
            ("+18765550123", "JM", "local"), ("+18761550123", "JM", "webhook,twilio"),
            ("+16505550123", "US", "twilio"), ("+16585550123", "JM", "twilio"),
            ("+442079460123", "JM", "twilio,vonage"), ("+80012345678", "001", "vonage"),
            ("+442079460123", "GB", "vonage,twilio"), ("+442079460123", nil, "vonage,twilio"),
            ("+", "ZZ", "vonage,twilio"), ("", nil, "vonage,twilio"),
        ] as [(String, String?, String)]
    )
    func gateways(phoneNumber: String, region: String?, expected: String) throws {
        let routes = try GatewayRoutes(parsing: Self.text.replacing(",\n", with: ","))
        #expect(routes.gateways(for: phoneNumber, region: region).map(\.text).joined(separator: ",") == expected)
    }

    @Test("a prefix is matched by digits")
    func longPrefixes() throws {
        let routes = try GatewayRoutes(parsing: "+123456789012345=a;+1=b;*=c")
        #expect(routes.gateways(for: "+123456789012345", region: nil).map(\.text) == ["a"])
        #expect(routes.gateways(for: "+12345678901234", region: nil).map(\.text) == ["b"])
        #expect(routes.gateways(for: "1234", region: nil).map(\.text) == ["c"])
    }

    @Test("routes list all their gateways, and have a default")
    func names() throws {
        let routes = try GatewayRoutes(parsing: "+1=a,b;JM=c;*=a")
        #expect(Set(routes.names.map(\.text)) == ["a", "b", "c"])
        let (first, second) = (try Example.name("a"), try Example.name("b"))
        #expect(GatewayRoutes(first, second) == (try GatewayRoutes(parsing: "*=a,b")))
    }

    @Test(
        "an invalid route is rejected with its entry",
        arguments: [
            ("*=", .noGateway(key: "*")), ("*=a,,b", .noGateway(key: "*")), ("*=a,", .noGateway(key: "*")),
            ("*=A", .malformedName("A")), ("*=a b", .malformedName("a b")), ("*=a=b", .malformedName("a=b")),
        ] as [(String, GatewayRouteError)]
    )
    func errors(text: String, expected: GatewayRouteError) {
        #expect(throws: NumberTableError.value(expected)) { try GatewayRoutes(parsing: text) }
        #expect(!expected.description.isEmpty)
    }

    @Test("unknown gateways, and gateways repeated in a route, are rejected")
    func unknown() throws {
        let (one, two) = (try Example.name("one"), try Example.name("two"))
        #expect(throws: NumberTableError<GatewayRouteError>.value(.unknownGateway(two))) {
            try GatewayRoutes(parsing: "*=one,two", known: [one])
        }
        #expect(throws: NumberTableError<GatewayRouteError>.value(.repeatedGateway(one, key: "JM"))) {
            try GatewayRoutes(parsing: "*=one;JM=one,two,one", known: [one, two])
        }
    }
}
