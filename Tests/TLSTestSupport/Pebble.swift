import Foundation
import WaymarkTLS
import WaymarkTestSupport

/// Let's Encrypt's test authority, with a name server that has 127.0.0.1 for every name. Both end with this object.
package final class Pebble: Sendable {
    package struct Options: Sendable {
        package var httpPort: UInt16
        package var tlsPort: UInt16
        /// Of certificates, in seconds.
        package var lifetime = 90 * 86_400
        package var blockedDomains: [String] = []
        package var externalAccounts: [String: String] = [:]
        /// Per cent.
        package var rejectedNonces = 10

        package init(httpPort: UInt16, tlsPort: UInt16) {
            self.httpPort = httpPort
            self.tlsPort = tlsPort
        }
    }

    package static let isInstalled = ["pebble", "pebble-challtestsrv"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    package let directory: String
    private let management: UInt16
    private let authority: TestAuthority
    private let processes: [Process]

    package init(_ options: Options) throws {
        // Each keeps its port until all are chosen.
        let ports = try (0..<4).map { _ in try SocketListener() }.map(\.port)
        authority = try TestAuthority()
        let files = authority.issue("pebble", names: ["localhost"], serial: 7)
        directory = "https://localhost:\(ports[0])/dir"
        management = ports[1]
        let settings: [String: Any] = [
            "listenAddress": "127.0.0.1:\(ports[0])", "managementListenAddress": "127.0.0.1:\(ports[1])",
            "certificate": files.certificate, "privateKey": files.privateKey, "httpPort": Int(options.httpPort),
            "tlsPort": Int(options.tlsPort), "ocspResponderURL": "",
            "externalAccountBindingRequired": !options.externalAccounts.isEmpty,
            "externalAccountMACKeys": options.externalAccounts, "domainBlocklist": options.blockedDomains,
            "certificateValidityPeriod": options.lifetime,
        ]
        try JSONSerialization.data(withJSONObject: ["pebble": settings])
            .write(to: URL(fileURLWithPath: authority.path("pebble.json")))
        processes = [
            try Self.run(
                "pebble-challtestsrv",
                [
                    "-dns01", "127.0.0.1:\(ports[2])", "-http01", "", "-https01", "", "-tlsalpn01", "", "-management",
                    "127.0.0.1:\(ports[3])", "-defaultIPv6", "",
                ], log: authority.path("names.log"), [:]),
            try Self.run(
                "pebble", ["-config", authority.path("pebble.json"), "-dnsserver", "127.0.0.1:\(ports[2])", "-strict"],
                log: authority.path("pebble.log"),
                [
                    "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "\(options.rejectedNonces)",
                    "PEBBLE_AUTHZREUSE": "0",
                ]),
        ]
        // Until they listen; both answer TCP there.
        for port in ports { while (try? StreamSocket(port: port)) == nil { sched_yield() } }
    }

    deinit {
        for process in processes {
            process.terminate()
            process.waitUntilExit()
        }
    }

    private static func run(
        _ command: String, _ arguments: [String], log: String, _ environment: [String: String]
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(command)")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        FileManager.default.createFile(atPath: log, contents: nil)
        let output = FileHandle(forWritingAtPath: log)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return process
    }

    /// What the authority printed; for failures.
    package var log: String { (try? String(contentsOfFile: authority.path("pebble.log"), encoding: .utf8)) ?? "" }

    /// PEM file: the authority of its interface.
    package var authorityFile: String { authority.path("ca.pem") }

    /// Of the management interface.
    package func managementURL(_ path: String) -> String { "https://localhost:\(management)/\(path)" }
}
