// swift-tools-version: 6.2
import PackageDescription

// One target for each layer of the design; each imports only what stands below it.
// From the bottom: C shims, then Encodings, FastCGI, Redis and PhoneNumbers, which know nothing of each other,
// then RedisStore, PhoneAuth, IdentityToolkit and the executable.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "dialtone",
    products: [
        .executable(name: "dialtone", targets: ["dialtone"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .systemLibrary(name: "CFastCGI"),
        .systemLibrary(name: "CHiredis"),
        .target(
            name: "CPhoneNumber",
            cxxSettings: [.define("I18N_PHONENUMBERS_USE_STDMUTEX", to: "1")],
            linkerSettings: [.linkedLibrary("phonenumber"), .linkedLibrary("protobuf")]
        ),
        .target(name: "CProcess"),

        .target(name: "Encodings", swiftSettings: strict),
        .target(name: "FastCGI", dependencies: ["CFastCGI"], swiftSettings: strict),
        .target(name: "PhoneNumbers", dependencies: ["CPhoneNumber"], swiftSettings: strict),
        .target(name: "Processes", dependencies: ["CProcess"], swiftSettings: strict),
        .target(name: "Redis", dependencies: ["CHiredis", crypto], swiftSettings: strict),
        .target(
            name: "RedisStore",
            dependencies: ["Encodings", "Redis"],
            resources: [.embedInCode("Scripts")],
            swiftSettings: strict
        ),
        .target(
            name: "PhoneAuth",
            dependencies: ["Encodings", "PhoneNumbers", "RedisStore", crypto, cryptoExtras],
            swiftSettings: strict
        ),
        .target(
            name: "TryItPage",
            resources: [.embedInCode("Assets")],
            swiftSettings: strict
        ),
        .target(
            name: "IdentityToolkit",
            dependencies: ["Encodings", "FastCGI", "PhoneAuth", "PhoneNumbers", "RedisStore", "TryItPage", logging],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "dialtone",
            dependencies: [
                "Encodings", "FastCGI", "IdentityToolkit", "PhoneAuth", "PhoneNumbers", "Processes", "Redis",
                "RedisStore",
                crypto, cryptoExtras, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: strict
        ),

        .target(name: "TestServers", dependencies: ["Processes"], path: "Tests/TestServers", swiftSettings: strict),
        .testTarget(
            name: "DeploymentTests",
            dependencies: ["dialtone", "Processes", "TestServers"],
            swiftSettings: strict
        ),
        .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "TestServers"], swiftSettings: strict),
        .testTarget(name: "FastCGITests", dependencies: ["FastCGI", "TestServers"], swiftSettings: strict),
        .testTarget(
            name: "IdentityToolkitTests",
            dependencies: [
                "Encodings", "FastCGI", "IdentityToolkit", "PhoneAuth", "PhoneNumbers", "TestServers", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["dialtone", "Encodings", "FastCGI", "Processes", "TestServers"],
            exclude: ["requirements.txt"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhoneAuthTests",
            dependencies: [
                "Encodings", "PhoneAuth", "PhoneNumbers", "Redis", "RedisStore", "TestServers", crypto, cryptoExtras,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhoneNumbersTests",
            dependencies: ["CPhoneNumber", "PhoneNumbers", "TestServers"],
            swiftSettings: strict
        ),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestServers"], swiftSettings: strict),
        .testTarget(
            name: "RedisStoreTests",
            dependencies: ["Encodings", "Processes", "Redis", "RedisStore", "TestServers"],
            swiftSettings: strict
        ),
        .testTarget(name: "RedisTests", dependencies: ["Redis", "TestServers"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)
