import Foundation
import TLSTestSupport
import WaymarkJSON
import WaymarkTLS
import WaymarkTestSupport

@testable import WaymarkACME

/// Let's Encrypt's test authority, with a name server that has 127.0.0.1 for every name. Both end with this object.
final class Pebble: Sendable {
    struct Options: Sendable {
        var httpPort: UInt16
        var tlsPort: UInt16
        /// Of certificates, in seconds.
        var lifetime = 90 * 86_400
        var blockedDomains: [String] = []
        var externalAccounts: [String: String] = [:]
        /// Per cent.
        var rejectedNonces = 30
    }

    static let isInstalled = ["pebble", "pebble-challtestsrv"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    let directory: String
    private let management: UInt16
    private let authority: TestAuthority
    private let processes: [Process]

    init(_ options: Options) throws {
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
    var log: String { (try? String(contentsOfFile: authority.path("pebble.log"), encoding: .utf8)) ?? "" }

    var transport: NetworkTransport { NetworkTransport(authority: authority.path("ca.pem")) }

    /// Of the management interface.
    func read(_ path: String) async throws -> String {
        let response = try await transport.send(ACMERequest(.get, "https://localhost:\(management)/\(path)"))
        return String(decoding: response.body, as: UTF8.self)
    }
}

/// Requests over `OutgoingConnection`, one a connection.
struct NetworkTransport: ACMETransport {
    /// PEM file.
    let authority: String

    func send(_ request: ACMERequest) async throws(ACMETransportError) -> ACMEResponse {
        let authority = authority
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(ACMETransportError) {
                    continuation.resume(
                        returning: Result<ACMEResponse, ACMETransportError>.success(
                            try Self.exchange(request, authority)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private static func exchange(
        _ request: ACMERequest, _ authority: String
    ) throws(ACMETransportError) -> ACMEResponse {
        guard let url = URLComponents(string: request.url), let host = url.host, let port = url.port else {
            throw ACMETransportError(reason: "no URL")
        }
        // HTTP/1.0, so that the body ends with the connection.
        var head = "\(request.method.rawValue) \(url.percentEncodedPath) HTTP/1.0\r\nHost: \(host):\(port)\r\n"
        head += "User-Agent: waymark-test\r\nContent-Length: \(request.body.count)\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        do throws(OutgoingConnection.Failure) {
            let connection = try OutgoingConnection(
                host: host, port: port, isSecure: true, patience: 20, address: "127.0.0.1", authority: authority)
            try connection.send(Array((head + "\r\n").utf8) + request.body)
            var bytes: [UInt8] = []
            while case let piece = try connection.receive(), !piece.isEmpty { bytes += piece }
            return try parsed(bytes)
        } catch {
            throw ACMETransportError(reason: "\(error)")
        }
    }

    private static func parsed(_ bytes: [UInt8]) throws(OutgoingConnection.Failure) -> ACMEResponse {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw .broken }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw .broken
        }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        return ACMEResponse(status: status, fields: fields, body: Array(bytes[end.upperBound...]))
    }
}
