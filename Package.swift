// swift-tools-version: 6.0
import PackageDescription

#if os(Linux)
    import Glibc
#endif

// Each target imports only targets below it: see the diagram in Sources/README.md.

// Only this package's checks set the variable: build systems suppress warnings of dependencies, and the flag conflicts.
let warnings: [SwiftSetting] =
    Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])]
let strict: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

let package = Package(
    name: "dialtone",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "DialtoneAuth", targets: ["DialtoneAuth"]),
        .library(name: "DialtoneFirebaseNames", targets: ["DialtoneFirebaseNames"]),
    ],
    targets: [
        .target(name: "DialtoneTexts", swiftSettings: strict),
        .target(
            name: "DialtoneAuth",
            dependencies: ["DialtoneTexts"],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: strict
        ),
        .target(name: "DialtoneFirebaseNames", dependencies: ["DialtoneAuth"], swiftSettings: strict),
    ]
)

/// The scripts of the domain, by the feature's folder.
let scripts: KeyValuePairs<String, [String]> = [
    "Accounts": [
        "account-changes", "account-list", "anonymous-users", "check-claim", "claim-identifier",
        "create-account", "delete-account", "delete-if-equal", "described-account", "list-accounts",
        "propose-identifier", "recycled-numbers", "second-factors", "take-identifier", "update-account",
    ],
    "AppVerification": [
        "count-challenge", "issue-challenge-token", "queue-push", "redeem-challenge-token", "use-push-receipt",
        "verify-client",
    ],
    "Audit": ["audit", "audit-event", "record-operator-change"],
    "Clients": ["remember-known-network", "use-known-network"],
    "Dispatching": [
        "finish-mail", "finish-message", "finish-push", "follow-up-message", "leave-outbox", "postpone-item",
        "record-push", "requeue-item", "retake-items", "take-waiting",
    ],
    "EmailCodes": ["queue-email-action", "take-email-action"],
    "IndexKeyMove": ["replace-field"],
    "PhoneSignIn": ["answer-verification", "send-verification-code"],
    "Projects": ["set-configuration"],
    "RateLimits": ["count-event", "rate-limits", "refund-event"],
    "SecondFactors": ["revert-second-factor"],
    "TollFraud": ["number-ranges"],
    "UserSessions": [
        "end-session", "exchange-authorization-code", "exchange-refresh-token", "id-token",
        "issue-authorization-code", "look-ahead-at-sign-in", "new-account", "record-sign-in", "revocation",
        "sign-in-obstacles", "user-session",
    ],
    "Verification": ["use-once", "verification-session"],
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// The server, which runs on Linux only, and the tests.
let server: [Target] = [
    .systemLibrary(name: "CArgon2"),
    .systemLibrary(name: "CCrypt"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("ssl")]),
    .systemLibrary(name: "CFastCGI"),
    .systemLibrary(name: "CHiredis"),
    .target(name: "CIDN2"),
    .target(name: "CNumberingData"),
    .systemLibrary(name: "COpenSSL"),
    .target(name: "CProcess"),
    .systemLibrary(name: "CThreads"),
    .systemLibrary(name: "CTLS"),

    .target(name: "Encodings", swiftSettings: strict),
    .target(name: "Metrics", swiftSettings: strict),
    .target(name: "Cryptography", dependencies: ["COpenSSL", "Encodings"], swiftSettings: strict),
    .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: strict),
    .target(name: "FastCGI", dependencies: ["CFastCGI", "Encodings", "Threads"], swiftSettings: strict),
    .target(
        name: "OutgoingHTTP",
        dependencies: ["CCurl", "Cryptography", "Encodings", "Threads"],
        swiftSettings: strict
    ),
    .target(
        name: "Passwords",
        dependencies: ["CArgon2", "CCrypt", "Cryptography", "Encodings", "Metrics", "Threads"],
        swiftSettings: strict
    ),
    .target(name: "PhoneNumbers", dependencies: ["CNumberingData", "Encodings"], swiftSettings: strict),
    .target(name: "Processes", dependencies: ["CProcess", "Threads"], swiftSettings: strict),
    .target(
        name: "Redis",
        dependencies: ["CHiredis", "Cryptography", "CTLS", "Encodings", "Metrics", "Threads"],
        swiftSettings: strict
    ),
    .target(
        name: "RedisScripts",
        dependencies: ["Encodings", "Redis", "Threads"],
        resources: [.embedInCode("Scripts")],
        swiftSettings: strict
    ),
    .target(name: "MessageTexts", dependencies: ["DialtoneTexts", "Encodings"], swiftSettings: strict),
    .target(
        name: "SMSGateways",
        dependencies: ["Cryptography", "Encodings", "OutgoingHTTP", "PhoneNumbers"],
        swiftSettings: strict
    ),
    .target(
        name: "MailGateways",
        dependencies: ["Encodings", "OutgoingHTTP", "SMSGateways"],
        swiftSettings: strict
    ),
    .target(
        name: "PhoneAuth",
        dependencies: [
            "CIDN2", "Cryptography", "Encodings", "MessageTexts", "Metrics", "Passwords", "PhoneNumbers", "Redis",
            "RedisScripts", "Threads",
        ],
        resources: scripts.flatMap { folder, names in names.map { .embedInCode("\(folder)/\($0).lua") } },
        swiftSettings: strict
    ),
    .target(
        name: "Reports",
        dependencies: ["Encodings", "PhoneAuth", "PhoneNumbers", "RedisScripts"],
        swiftSettings: strict
    ),
    .target(
        name: "AccountFiles",
        dependencies: ["Encodings", "Passwords", "PhoneAuth"],
        swiftSettings: strict
    ),
    .target(
        name: "ChallengePages",
        dependencies: [
            "Cryptography", "DialtoneTexts", "Encodings", "OutgoingHTTP", "PhoneAuth", "PhoneNumbers", "Threads",
        ],
        resources: [.embedInCode("Assets")],
        swiftSettings: strict
    ),
    .target(
        name: "Delivery",
        dependencies: [
            "Cryptography", "Encodings", "MailGateways", "MessageTexts", "Metrics", "OutgoingHTTP", "PhoneAuth",
            "PhoneNumbers", "RedisScripts", "SMSGateways", "Threads", logging,
        ],
        swiftSettings: strict
    ),
    .target(
        name: "HookCalls",
        dependencies: ["Encodings", "OutgoingHTTP", "PhoneAuth"],
        swiftSettings: strict
    ),
    .target(
        name: "PlayIntegrity",
        dependencies: ["Cryptography", "Encodings", "OutgoingHTTP", "PhoneAuth", "Threads"],
        swiftSettings: strict
    ),
    .target(
        name: "FirebaseSessions",
        dependencies: ["Cryptography", "Encodings", "OutgoingHTTP", "PhoneAuth", "Threads"],
        swiftSettings: strict
    ),
    .target(
        name: "TryItPage",
        dependencies: ["ChallengePages", "OperatorPage"],
        resources: [.embedInCode("Assets")],
        swiftSettings: strict
    ),
    .target(name: "OperatorPage", resources: [.embedInCode("Assets")], swiftSettings: strict),
    .target(
        name: "IdentityToolkit",
        dependencies: [
            "AccountFiles", "ChallengePages", "DialtoneTexts", "Encodings", "FastCGI", "Metrics", "OperatorPage",
            "Passwords", "PhoneAuth", "PhoneNumbers", "Reports", "SMSGateways", "TryItPage", logging,
        ],
        swiftSettings: strict
    ),
    .executableTarget(
        name: "dialtone",
        dependencies: [
            "AccountFiles", "ChallengePages", "Cryptography", "Delivery", "Encodings", "FastCGI", "FirebaseSessions",
            "HookCalls", "IdentityToolkit", "MailGateways", "MessageTexts", "Metrics", "OutgoingHTTP", "Passwords",
            "PhoneAuth", "PhoneNumbers", "PlayIntegrity", "Processes", "Redis", "RedisScripts", "Reports",
            "SMSGateways", "Threads",
            logging,
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        swiftSettings: strict
    ),

    // What apps copy. On Linux it is compiled with stand-ins for what it uses of Apple's platforms.
    .target(
        name: "AppRedirects",
        dependencies: ["GTMSessionFetcherCore", "Security"],
        exclude: ["DialtoneRedirect.java"],
        swiftSettings: strict
    ),
    .target(
        name: "GTMSessionFetcherCore",
        path: "Tests/AppleStubs/GTMSessionFetcherCore",
        swiftSettings: strict
    ),
    .target(name: "Security", path: "Tests/AppleStubs/Security", swiftSettings: strict),
    .target(
        name: "TestServers",
        dependencies: ["Processes", "Threads", logging],
        path: "Tests/TestServers",
        swiftSettings: strict
    ),
    .target(
        name: "APNsStandIn",
        dependencies: ["Cryptography", "Encodings", "Processes", "TestBrowser", "TestServers"],
        path: "Tests/APNsStandIn",
        exclude: ["stand_in.py"],
        swiftSettings: strict
    ),
    .target(
        name: "GatewayStandIn",
        dependencies: ["APNsStandIn", "Encodings", "Processes", "TestBrowser", "TestServers"],
        path: "Tests/GatewayStandIn",
        exclude: ["smtp_server.py"],
        swiftSettings: strict
    ),
    .target(
        name: "IntegrityStandIn",
        dependencies: ["Cryptography", "Encodings"],
        path: "Tests/IntegrityStandIn",
        swiftSettings: strict
    ),
    .target(
        name: "TestBrowser",
        dependencies: ["Encodings", "Processes", "TestServers"],
        path: "Tests/TestBrowser",
        exclude: ["browser.py", "provider_server.py"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "AccountFilesTests",
        dependencies: ["AccountFiles", "Encodings", "Passwords", "PhoneAuth", "TestServers"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "AppRedirectsTests",
        dependencies: ["AppRedirects", "GTMSessionFetcherCore"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "ChallengePagesTests",
        dependencies: [
            "ChallengePages", "DialtoneTexts", "Encodings", "PhoneAuth", "Processes", "TestBrowser", "TestServers",
            "Threads",
        ],
        exclude: ["Support/page_server.py"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "CryptographyTests",
        dependencies: ["Cryptography", "Encodings", "Processes", "TestServers"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "DeliveryTests",
        dependencies: [
            "APNsStandIn", "Cryptography", "Delivery", "Encodings", "OutgoingHTTP", "PhoneAuth", "RedisScripts",
            "TestServers", "Threads",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "DeploymentTests",
        dependencies: ["dialtone", "FastCGI", "Passwords", "Processes", "TestServers"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "DialtoneAuthTests",
        dependencies: ["DialtoneAuth", "DialtoneFirebaseNames", "DialtoneTexts", "Processes", "TestServers"],
        swiftSettings: strict
    ),
    .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "TestServers"], swiftSettings: strict),
    .testTarget(name: "FastCGITests", dependencies: ["FastCGI", "TestServers", "Threads"], swiftSettings: strict),
    .testTarget(
        name: "HookCallsTests",
        dependencies: [
            "APNsStandIn", "Encodings", "GatewayStandIn", "HookCalls", "OutgoingHTTP", "PhoneAuth", "TestServers",
            "Threads",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "IdentityToolkitTests",
        dependencies: [
            "ChallengePages", "DialtoneTexts", "Encodings", "FastCGI", "IdentityToolkit", "PhoneAuth",
            "PhoneNumbers", "TestServers", logging,
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "APNsStandIn", "AppRedirects", "Cryptography", "dialtone", "DialtoneAuth", "Encodings", "FastCGI",
            "GatewayStandIn", "GTMSessionFetcherCore", "IdentityToolkit", "IntegrityStandIn", "OutgoingHTTP",
            "PhoneAuth", "PhoneNumbers", "Processes", "Redis", "RedisScripts", "SMSGateways", "TestBrowser",
            "TestServers", logging,
        ],
        exclude: [
            "requirements.in", "requirements.txt", "Support/bad_tokens.py", "Support/discovery_verifier.py",
            "Support/firebase_admin_client.py", "Support/firebase-auth.js", "Support/RedirectedApp.java",
            "Support/RedirectedBackEnd.java", "Support/rotation_verifier.py", "Support/TrustedAuthority.java",
            "Support/alert-rules.yml",
        ],
        swiftSettings: strict
    ),
    .testTarget(name: "DialtoneTextsTests", dependencies: ["DialtoneTexts"], swiftSettings: strict),
    .testTarget(name: "MessageTextsTests", dependencies: ["DialtoneTexts", "MessageTexts"], swiftSettings: strict),
    .testTarget(
        name: "MetricsTests",
        dependencies: ["Metrics", "Processes", "TestServers"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "OutgoingHTTPTests",
        dependencies: ["APNsStandIn", "Encodings", "GatewayStandIn", "OutgoingHTTP", "TestServers", "Threads"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "PasswordsTests",
        dependencies: ["Encodings", "Passwords", "TestBrowser", "TestServers", "Threads"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "PhoneAuthTests",
        dependencies: [
            "Cryptography", "Encodings", "Passwords", "PhoneAuth", "PhoneNumbers", "Redis", "RedisScripts",
            "TestServers", "Threads",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "PhoneNumbersTests",
        dependencies: ["PhoneNumbers", "Processes", "TestBrowser", "TestServers"],
        exclude: ["Reference/expectations.py", "Reference/metadata_xml.py"],
        swiftSettings: strict
    ),
    .testTarget(
        name: "FirebaseSessionsTests",
        dependencies: [
            "Cryptography", "Encodings", "FirebaseSessions", "GatewayStandIn", "IntegrityStandIn", "PhoneAuth",
            "TestServers", "Threads",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "PlayIntegrityTests",
        dependencies: [
            "Cryptography", "Encodings", "GatewayStandIn", "IntegrityStandIn", "OutgoingHTTP", "PhoneAuth",
            "PlayIntegrity", "TestServers", "Threads",
        ],
        swiftSettings: strict
    ),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestServers"], swiftSettings: strict),
    .testTarget(
        name: "StorageTests",
        dependencies: [
            "Encodings", "PhoneAuth", "PhoneNumbers", "Processes", "Redis", "RedisScripts", "TestServers",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "MailGatewaysTests",
        dependencies: [
            "APNsStandIn", "Encodings", "GatewayStandIn", "MailGateways", "OutgoingHTTP", "SMSGateways", "TestServers",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "SMSGatewaysTests",
        dependencies: [
            "APNsStandIn", "Cryptography", "Encodings", "GatewayStandIn", "OutgoingHTTP", "PhoneNumbers",
            "Processes", "SMSGateways", "TestServers",
        ],
        swiftSettings: strict
    ),
    .testTarget(
        name: "RedisTests",
        dependencies: ["APNsStandIn", "Cryptography", "Redis", "TestServers", "Threads"],
        swiftSettings: strict
    ),
    .testTarget(name: "ThreadsTests", dependencies: ["TestServers", "Threads"], swiftSettings: strict),
]

#if os(Linux)
    // An app that depends on this package gets none of this: SwiftPM then reads this file from a repository, as if it
    // were in the root folder, and from a checkout.
    let folder = Context.packageDirectory
    if folder != "/", !folder.contains("/checkouts/") || access("\(folder)/../../repositories", F_OK) != 0 {
        package.products.append(.executable(name: "dialtone", targets: ["dialtone"]))
        package.dependencies = [
            .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
            .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        ]
        package.targets += server
    }
#endif
