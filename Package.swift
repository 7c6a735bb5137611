// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// For the targets that touch C or raw memory: every use of an unsafe construct is marked in the source.
let strictMemory: [SwiftSetting] = strict + [.strictMemorySafety()]

/// What only the server needs.
let server = TargetDependencyCondition.when(traits: ["Server"])

let package = Package(
    name: "Waymark",
    // The client library's. The server is built on Linux, which has no such floors.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .library(name: "WaymarkAPI", targets: ["WaymarkAPI"]),
        .library(name: "WaymarkKit", targets: ["WaymarkKit"]),
        .library(name: "WaymarkKitCompatibility", targets: ["WaymarkKitCompatibility"]),
        .library(name: "WaymarkDynamicLinks", targets: ["WaymarkDynamicLinks"]),
    ],
    traits: [
        // Every other package and system library of the server stands behind it: an app without traits resolves none.
        .trait(name: "Server", description: "The server and its tools. Apps that use WaymarkKit do without."),
        .trait(
            name: "PostgreSQL", description: "Several servers on one PostgreSQL database (needs libpq).",
            enabledTraits: ["Server"]),
        .trait(
            name: "QRCode", description: "QR codes of smart links (needs libqrencode).",
            enabledTraits: ["Server"]),
        .trait(
            name: "CountryFile", description: "Countries from a file in MaxMind's format (needs libmaxminddb).",
            enabledTraits: ["Server"]),
        .default(enabledTraits: ["Server", "PostgreSQL", "QRCode", "CountryFile"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.11.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // System libraries and the C that Swift cannot import by itself.
        .target(name: "CWaymarkSystem"),
        // The documentation and the API document, embedded in the executable.
        .target(name: "CWaymarkDocuments"),
        .systemLibrary(
            name: "CWaymarkOpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CWaymarkZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CWaymarkPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CWaymarkQRCode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(
            name: "CWaymarkMaxMind", pkgConfig: "libmaxminddb",
            providers: [.apt(["libmaxminddb-dev"]), .brew(["libmaxminddb"])]),

        // Encodings, dates and hashes that need nothing but the standard library.
        .target(name: "WaymarkBytes", swiftSettings: strictMemory),

        // What is counted and measured, and how Prometheus reads it.
        .target(name: "WaymarkMetrics", swiftSettings: strictMemory),

        // Bytes: sockets, TLS and HTTP. They know nothing of links.
        .target(name: "WaymarkSockets", dependencies: ["WaymarkBytes", "CWaymarkSystem"], swiftSettings: strictMemory),
        .target(
            name: "WaymarkTLS", dependencies: [.target(name: "CWaymarkOpenSSL", condition: server)],
            swiftSettings: strictMemory),
        .target(name: "WaymarkHTTP", dependencies: ["WaymarkBytes"], swiftSettings: strictMemory),
        .target(
            name: "WaymarkServer",
            dependencies: [
                "WaymarkBytes", "WaymarkSockets", "WaymarkTLS", "WaymarkHTTP", "WaymarkMetrics",
                .target(name: "CWaymarkZlib", condition: server),
            ],
            swiftSettings: strictMemory),
        // Requests of this program to other servers.
        .target(
            name: "WaymarkClient", dependencies: ["WaymarkBytes", "WaymarkSockets", "WaymarkTLS", "WaymarkHTTP"],
            swiftSettings: strictMemory),

        // How people prove who they are: passkeys and OpenID Connect. It knows no links, no stores and no routes.
        .target(
            name: "WaymarkSignIn", dependencies: ["WaymarkBytes", "WaymarkClient", "WaymarkJSON", "WaymarkTLS"],
            swiftSettings: strict),

        // Meaning: links, where they lead and what one can do with them. They know nothing of HTTP; a request of the API, with
        // its shape checked, is what they validate.
        .target(name: "WaymarkJSON", dependencies: ["WaymarkBytes"], swiftSettings: strictMemory),
        .target(
            name: "WaymarkLinks", dependencies: ["WaymarkAPI", "WaymarkBytes", "WaymarkMetrics"],
            swiftSettings: strictMemory),
        .target(
            name: "WaymarkStores",
            dependencies: ["WaymarkAPI", "WaymarkBytes", "WaymarkJSON", "WaymarkLinks", "WaymarkMetrics"],
            swiftSettings: strictMemory),
        .target(name: "WaymarkAssociation", dependencies: ["WaymarkBytes", "WaymarkJSON"], swiftSettings: strict),
        .target(
            name: "WaymarkService",
            dependencies: [
                "WaymarkAPI", "WaymarkBytes", "WaymarkClient", "WaymarkLinks", "WaymarkStores", "WaymarkImports",
                "WaymarkMetrics",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strictMemory),
        .target(
            name: "WaymarkSQLite",
            dependencies: [
                "WaymarkLinks", "WaymarkStores", "WaymarkMetrics",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server),
            ],
            swiftSettings: strictMemory),
        // Links on PostgreSQL. Without its trait it builds without libpq and holds nothing.
        .target(
            name: "WaymarkPostgres",
            dependencies: [
                "WaymarkLinks", "WaymarkStores", "WaymarkMetrics",
                .target(name: "CWaymarkPostgres", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strictMemory),

        // Certificates from an authority. It knows no links, and reaches the store through a protocol.
        .target(
            name: "WaymarkACME",
            dependencies: [
                "WaymarkBytes", "WaymarkClient", "WaymarkJSON", "WaymarkTLS",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strict),

        // Whole stores: written to lines and read back, moved, checked, their metadata sealed anew.
        .target(
            name: "WaymarkArchive",
            dependencies: ["WaymarkAPI", "WaymarkBytes", "WaymarkLinks", "WaymarkStores", "WaymarkJSON"],
            swiftSettings: strict),

        // Links of other services: their exports and interfaces, read, imported and compared.
        .target(
            name: "WaymarkImports",
            dependencies: [
                "WaymarkAPI", "WaymarkBytes", "WaymarkClient", "WaymarkLinks", "WaymarkStores", "WaymarkJSON",
            ],
            swiftSettings: strict),

        // The wire: what is said over REST, shared with client libraries.
        .target(name: "WaymarkAPI", dependencies: ["WaymarkJSON"], swiftSettings: strictMemory),

        // What an app links: deep-link routing and the client of the service. It needs no system library.
        .target(
            name: "WaymarkKit", dependencies: ["WaymarkBytes", "WaymarkAPI", "WaymarkJSON"],
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strict),
        // The names of HOKO's SDK, MobileDeepLinking and swift-deep-linking, for apps that come from there.
        .target(
            name: "WaymarkKitCompatibility", dependencies: ["WaymarkBytes", "WaymarkKit", "WaymarkJSON"],
            swiftSettings: strict),

        // The names of Firebase Dynamic Links' SDK, for apps whose Firebase no longer has them.
        .target(
            name: "WaymarkDynamicLinks", dependencies: ["WaymarkBytes", "WaymarkKit", "WaymarkJSON"],
            swiftSettings: strict),

        // An app without a screen, for Scripts/example.
        .executableTarget(name: "waymark-example", dependencies: ["WaymarkKit"], swiftSettings: strict),
        // The cases that all clients share, for Clients/swift/cases.
        .executableTarget(
            name: "waymark-kit-cases",
            dependencies: ["WaymarkAPI", "WaymarkJSON", "WaymarkKit", "WaymarkKitCompatibility"], swiftSettings: strict),

        // Where bytes and meaning meet, and the executable that wires them. Without their traits they build without libqrencode
        // and libmaxminddb, and say that they have no QR codes and open no file of countries.
        .target(
            name: "WaymarkSite",
            dependencies: [
                "WaymarkBytes", "WaymarkClient", "WaymarkServer", "WaymarkHTTP", "WaymarkService", "WaymarkLinks",
                "WaymarkSignIn", "WaymarkStores",
                "WaymarkImports",
                "WaymarkAssociation", "WaymarkAPI", "WaymarkJSON", "WaymarkMetrics",
                "CWaymarkDocuments", .target(name: "CWaymarkZlib", condition: server),
                .target(name: "CWaymarkQRCode", condition: .when(traits: ["QRCode"])),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strictMemory),
        .executableTarget(
            name: "waymark",
            dependencies: [
                "WaymarkBytes", "WaymarkClient", "WaymarkSite", "WaymarkServer", "WaymarkSockets", "WaymarkTLS",
                "WaymarkHTTP",
                "WaymarkService",
                "WaymarkLinks", "WaymarkStores", "WaymarkSQLite", "WaymarkArchive", "WaymarkImports",
                "WaymarkAssociation", "WaymarkAPI",
                "WaymarkJSON",
                "WaymarkMetrics", "WaymarkACME", "WaymarkSignIn",
                .target(name: "CWaymarkMaxMind", condition: .when(traits: ["CountryFile"])),
                .target(name: "WaymarkPostgres", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strictMemory),

        // Writes the API document from the route table and the tables of schemas, for Scripts/openapi.
        .executableTarget(
            name: "waymark-openapi",
            dependencies: [
                "WaymarkSite", "WaymarkLinks", "WaymarkStores", "WaymarkImports", "WaymarkAssociation", "WaymarkAPI",
                "WaymarkJSON",
            ],
            swiftSettings: strict),

        // Requests of each kind to a service in its own process, for Scripts/count.
        .executableTarget(
            name: "waymark-bench",
            dependencies: [
                "WaymarkAPI",
                "WaymarkBytes", "WaymarkSite", "WaymarkServer", "WaymarkSockets", "WaymarkTLS",
                "WaymarkHTTP",
                "WaymarkService",
                "WaymarkLinks", "WaymarkStores", "WaymarkSQLite",
                .target(name: "WaymarkPostgres", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strictMemory),

        // Tests. LinkStoreContract is the one suite that every store must pass, ConformanceCases are the conversations that
        // every server must hold.
        .target(
            name: "LinkStoreContract",
            dependencies: ["WaymarkAPI", "WaymarkBytes", "WaymarkLinks", "WaymarkStores", "WaymarkMetrics"],
            path: "Tests/LinkStoreContract",
            swiftSettings: strict),
        .target(
            name: "ConformanceCases", dependencies: ["WaymarkServer", "WaymarkHTTP"], path: "Tests/ConformanceCases",
            exclude: ["Cases"], swiftSettings: strict),
        .testTarget(name: "WaymarkBytesTests", dependencies: ["WaymarkBytes"], swiftSettings: strict),
        .testTarget(name: "WaymarkMetricsTests", dependencies: ["WaymarkMetrics"], swiftSettings: strict),
        // Sockets, temporary folders and disks, another service, a PostgreSQL of the tests' own.
        .target(name: "WaymarkTestSupport", path: "Tests/WaymarkTestSupport", swiftSettings: strict),
        // Keys of metadata for tests.
        .target(
            name: "SealingTestSupport", dependencies: ["WaymarkLinks", "WaymarkStores", "WaymarkTLS"],
            path: "Tests/SealingTestSupport",
            swiftSettings: strict),
        // A TLS client, certificates and an authority for tests.
        .target(
            name: "TLSTestSupport",
            dependencies: ["WaymarkTestSupport", "WaymarkTLS", .target(name: "CWaymarkOpenSSL", condition: server)],
            path: "Tests/TLSTestSupport",
            swiftSettings: strict),
        // An authenticator with a passkey, and a provider of OpenID Connect, for tests.
        .target(
            name: "SignInTestSupport",
            dependencies: ["WaymarkSignIn", "WaymarkBytes", "WaymarkClient", "WaymarkJSON", "WaymarkTLS"],
            path: "Tests/SignInTestSupport", swiftSettings: strict),
        .testTarget(
            name: "WaymarkSocketsTests", dependencies: ["WaymarkTestSupport", "WaymarkBytes", "WaymarkSockets"],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkTLSTests",
            dependencies: [
                "WaymarkTestSupport", "TLSTestSupport", "WaymarkTLS", "WaymarkServer", "WaymarkSockets", "WaymarkHTTP",
                .target(name: "CWaymarkOpenSSL", condition: server),
                "ConformanceCases",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkHTTPTests", dependencies: ["WaymarkBytes", "WaymarkHTTP", "ConformanceCases"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkServerTests",
            dependencies: [
                "WaymarkTestSupport", "WaymarkBytes", "WaymarkServer", "WaymarkSockets", "WaymarkHTTP",
                "WaymarkMetrics", "ConformanceCases",
                .target(name: "CWaymarkZlib", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkClientTests",
            dependencies: [
                "WaymarkTestSupport", "WaymarkBytes", "WaymarkClient", "WaymarkSockets", "WaymarkTLS",
            ],
            swiftSettings: strict),
        .testTarget(name: "WaymarkJSONTests", dependencies: ["WaymarkJSON"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkSignInTests",
            dependencies: [
                "SignInTestSupport", "WaymarkSignIn", "WaymarkBytes", "WaymarkClient", "WaymarkJSON", "WaymarkTLS",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkLinksTests",
            dependencies: ["WaymarkTestSupport", "WaymarkAPI", "WaymarkBytes", "WaymarkLinks"],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkStoresTests",
            dependencies: ["WaymarkAPI", "WaymarkStores", "WaymarkLinks", "WaymarkMetrics"],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkAssociationTests",
            dependencies: ["WaymarkBytes", "WaymarkAssociation", "WaymarkJSON", "WaymarkLinks"],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkACMETests",
            dependencies: [
                "WaymarkTestSupport", "TLSTestSupport", "WaymarkACME", "WaymarkBytes", "WaymarkClient", "WaymarkJSON",
                "WaymarkTLS", "WaymarkServer", "WaymarkSockets", "WaymarkHTTP",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkServiceTests",
            dependencies: [
                "SealingTestSupport", "WaymarkTestSupport", "WaymarkService", "WaymarkLinks", "WaymarkBytes",
                "WaymarkClient", "WaymarkStores", "WaymarkSQLite", "WaymarkTLS",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkStoreTests",
            dependencies: [
                "LinkStoreContract", "SealingTestSupport", "WaymarkTestSupport", "WaymarkSQLite", "WaymarkLinks",
                "WaymarkStores",
                "WaymarkTLS", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkPostgresTests",
            dependencies: [
                "LinkStoreContract", "WaymarkTestSupport", "SealingTestSupport", "WaymarkPostgres", "WaymarkSQLite",
                "WaymarkArchive", "WaymarkLinks", "WaymarkStores", "WaymarkService", "WaymarkTLS",
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkArchiveTests",
            dependencies: [
                "SealingTestSupport", "WaymarkBytes", "WaymarkArchive", "WaymarkSQLite", "WaymarkLinks",
                "WaymarkStores", "WaymarkTLS", "WaymarkService", "WaymarkAPI", "WaymarkJSON",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WaymarkImportsTests",
            dependencies: [
                "WaymarkTestSupport", "WaymarkAPI", "WaymarkClient", "WaymarkImports", "WaymarkLinks", "WaymarkSQLite",
                "WaymarkJSON",
            ],
            swiftSettings: strict),
        .testTarget(name: "WaymarkAPITests", dependencies: ["WaymarkAPI", "WaymarkJSON"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkKitTests",
            dependencies: [
                "WaymarkTestSupport", "WaymarkBytes", "WaymarkKit", "WaymarkKitCompatibility", "WaymarkAPI",
                "WaymarkJSON",
            ],
            swiftSettings: strict),
        // An app written for Firebase's SDK, in Swift 5 mode: only its import line was changed.
        .target(
            name: "DynamicLinksSample", dependencies: ["WaymarkDynamicLinks"], path: "Tests/DynamicLinksSample",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "WaymarkDynamicLinksTests",
            dependencies: ["WaymarkDynamicLinks", "DynamicLinksSample", "WaymarkKit", "WaymarkAPI", "WaymarkJSON"],
            swiftSettings: strict),
        // An app's view: it may import WaymarkKit only.
        .testTarget(name: "WaymarkKitImportTests", dependencies: ["WaymarkKit"], swiftSettings: strict),
        .testTarget(
            name: "WaymarkSiteTests",
            dependencies: [
                "WaymarkTestSupport", "SignInTestSupport", "waymark-openapi", "WaymarkBytes", "WaymarkClient",
                "WaymarkSite",
                "WaymarkSignIn",
                "WaymarkServer",
                "WaymarkSockets", "WaymarkHTTP", "WaymarkService",
                "WaymarkLinks", "WaymarkStores", "WaymarkSQLite", "WaymarkMetrics", "WaymarkImports", "WaymarkAPI",
                "WaymarkJSON",
                "WaymarkTLS", .target(name: "CWaymarkZlib", condition: server),
                .target(name: "WaymarkPostgres", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Logging", package: "swift-log", condition: server),
            ],
            exclude: ["Compatibility/Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "waymarkTests",
            dependencies: [
                "WaymarkTestSupport", "waymark", "WaymarkClient", "WaymarkService", "WaymarkImports", "WaymarkLinks",
                "WaymarkJSON", "WaymarkSite",
                "WaymarkAPI", "WaymarkAssociation", "WaymarkBytes", "WaymarkHTTP", "WaymarkServer", "WaymarkSockets",
                "WaymarkTLS", "WaymarkArchive", "WaymarkSQLite", "WaymarkStores",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "waymark", "waymark-example", "waymark-kit-cases", "WaymarkKit", "WaymarkDynamicLinks",
                "DynamicLinksSample",
                "WaymarkAPI",
                "WaymarkJSON", "WaymarkTLS",
                "TLSTestSupport", "WaymarkTestSupport", "ConformanceCases",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
    ]
)
