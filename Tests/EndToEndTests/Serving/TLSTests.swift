import Foundation
import Synchronization
import TLSTestSupport
import Testing
import WaymarkJSON
import WaymarkTLS
import WaymarkTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// The executable over TLS: where its certificates come from, and what becomes of connections when they change.
    @Suite struct TLSTests {
        private static let visit = Request.get("/gift", userAgent: Browser.desktop)
        private static let destination = "https://shop.example.com/products/42?referrer=ana"

        enum Source: String, CaseIterable, Sendable { case flags, environment, file }

        @Test(arguments: Source.allCases)
        func aCertificateIsTakenFromEachSource(source: Source) throws {
            let files = TestCertificates.shared.ecdsa
            let installation = try Installation(
                configuration: source == .file
                    ? [
                        "tlsListen": ["127.0.0.1:0"],
                        "certificates": [
                            [
                                "certificate": JSONValue(files.certificate),
                                "privateKey": JSONValue(files.privateKey),
                            ]
                        ],
                    ] : JSONObject())
            var environment = ["WAYMARK_ADMIN_KEY": Installation.adminKey]
            if source == .environment {
                environment["WAYMARK_TLS_LISTEN"] = "127.0.0.1:0"
                environment["WAYMARK_CERTIFICATE"] = files.certificate
                environment["WAYMARK_PRIVATE_KEY"] = files.privateKey
            }
            let server = try installation.start(source == .flags ? Self.flags(files) : [], environment: environment)
            let client = try server.connectSecurely()
            #expect(client.shownName == "ecdsa")
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            let answer = try client.exchange(Self.visit)
            #expect(answer["Location"] == Self.destination)
            #expect(answer["Strict-Transport-Security"] == nil)
            #expect(try server.stop() == .exit(0))
        }

        @Test func aSessionIsContinuedAfterAReload() throws {
            let installation = try Installation()
            let server = try installation.start(Self.flags(TestCertificates.shared.ecdsa))
            let first = try server.connectSecurely()
            #expect(try first.exchange(.get("/healthz")).status == 200)
            try reload(server)
            let second = try server.connectSecurely(resuming: first.ticket())
            #expect(second.isResumed)
            #expect(try second.exchange(.get("/healthz")).status == 200)
        }

        @Test(arguments: EventLoops.all)
        func aRenewedCertificateIsTakenUnderLoadWithoutALostRequest(eventLoop: String) throws {
            let folder = try Files()
            folder.use(TestCertificates.shared.ecdsa)
            let installation = try Installation()
            let server = try installation.start(Self.flags(folder.files) + ["--event-loop", eventLoop])
            let port = try server.securePort()
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let old = try server.connectSecurely()
            #expect(try old.exchange(Self.visit).status == 302)

            let load = Load(port: port, request: Self.visit, location: Self.destination)
            try eventually("the load is on", holds: { load.answers > 50 })
            for round in 0..<6 {
                folder.use(round.isMultiple(of: 2) ? TestCertificates.shared.wildcard : TestCertificates.shared.ecdsa)
                // Not by the log: a line that is said again and again is held back there.
                server.program.send(signal: SIGHUP)
                let name = round.isMultiple(of: 2) ? "wildcard" : "ecdsa"
                try eventually(
                    "the renewed certificate is shown", holds: { try server.connectSecurely().shownName == name })
                let before = load.answers
                try eventually("the load goes on", holds: { load.answers > before + 50 })
            }
            load.end()
            #expect(load.failures.isEmpty, "\(load.failures)")
            #expect(load.answers > 300)
            #expect(try old.exchange(Self.visit)["Location"] == Self.destination)
            #expect(old.shownName == "ecdsa")
            #expect(try server.stop() == .exit(0))
        }

        @Test func aChangedFileIsNoticedByItself() throws {
            let folder = try Files()
            folder.use(TestCertificates.shared.ecdsa)
            let installation = try Installation()
            let server = try installation.start(Self.flags(folder.files))
            #expect(try server.connectSecurely().shownName == "ecdsa")
            folder.use(TestCertificates.shared.commonName)
            try eventually("the new certificate is shown", within: 60) {
                try server.connectSecurely().shownName == "other.example.org" ? true : nil
            }
        }

        @Test func aBadCertificateIsRefusedInOneLineAndTheOldOneStays() throws {
            let folder = try Files()
            folder.use(TestCertificates.shared.ecdsa)
            let installation = try Installation()
            let server = try installation.start(Self.flags(folder.files))
            try eventually("the start is logged", holds: { server.program.errorText.contains("metadata") })
            let old = try server.connectSecurely()
            for damage in [
                { folder.write("nonsense", to: folder.files.certificate) },
                { folder.copy(TestCertificates.shared.rsa.privateKey, to: folder.files.privateKey) },
                { folder.remove(folder.files.privateKey) },
            ] {
                folder.use(TestCertificates.shared.ecdsa)
                damage()
                let before = server.program.errorLines.count
                server.program.send(signal: SIGHUP)
                try eventually("a line is logged", holds: { server.program.errorLines.count > before })
                let lines = server.program.errorLines.dropFirst(before)
                #expect(lines.count == 1, "\(lines)")
                #expect(lines.first?.contains("the previous one remains in effect") == true)
                #expect(lines.first?.contains(folder.name) == true)
                #expect(try server.connectSecurely().shownName == "ecdsa")
                #expect(try old.exchange(.get("/healthz")).status == 200)
            }
        }

        struct WrongPair: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let arguments: [String]
            let named: [String]
        }

        private static let wrongPairs: [WrongPair] = {
            let known = TestCertificates.shared
            let empty = (try? known.write("", to: "empty.pem")) ?? ""
            let encrypted = known.folder + "/encrypted.key"
            _ = TestCertificates.openssl([
                "ec", "-in", known.ecdsa.privateKey, "-aes256", "-passout", "pass:secret", "-out", encrypted,
            ])
            func pair(_ description: String, _ certificate: String?, _ key: String?, _ named: String...) -> WrongPair {
                WrongPair(
                    testDescription: description,
                    arguments: ["--tls-listen", "127.0.0.1:0"] + (certificate.map { ["--certificate", $0] } ?? [])
                        + (key.map { ["--private-key", $0] } ?? []), named: named)
            }
            return [
                pair("no pair", nil, nil, "--tls-listen"),
                pair("no key", known.ecdsa.certificate, nil, "--certificate"),
                pair("no certificate", nil, known.ecdsa.privateKey, "--private-key"),
                pair("another's key", known.ecdsa.certificate, known.rsa.privateKey, "--private-key", "rsa.key"),
                pair("a missing file", "/nowhere.pem", known.ecdsa.privateKey, "--certificate", "/nowhere.pem"),
                pair("a folder", "/", known.ecdsa.privateKey, "--certificate"),
                pair("an empty file", empty, known.ecdsa.privateKey, "--certificate", "empty.pem"),
                pair("a key for a certificate", known.ecdsa.privateKey, known.ecdsa.privateKey, "--certificate"),
                pair("a certificate for a key", known.ecdsa.certificate, known.ecdsa.certificate, "--private-key"),
                pair("a passphrase", known.ecdsa.certificate, encrypted, "--private-key", "passphrase"),
            ]
        }()

        @Test(arguments: wrongPairs, ["serve", "check-config"])
        func aWrongPairIsNamedInOneLine(wrong: WrongPair, command: String) throws {
            let installation = try Installation()
            let run = try installation.run(
                [command, "--config", installation.configurationFile.path] + wrong.arguments)
            #expect(run.end == .exit(2), "\(run)")
            #expect(run.errorLines.count == 1, "\(run)")
            for word in wrong.named { #expect(run.errors.contains(word), "\(run)") }
            #expect(!FileManager.default.fileExists(atPath: installation.databaseFile.path), "something was started")
        }

        @Test func plainHTTPIsToldThatThePortSpeaksTLS() throws {
            let server = try Installation().start(Self.flags(TestCertificates.shared.ecdsa))
            let client = try Connection(port: try server.securePort(), keeping: server)
            try client.send(Request.get("/gift").bytes)
            let answer = try client.receive()
            #expect(answer.status == 400)
            #expect(answer.text.contains("HTTPS"))
            #expect(answer["Strict-Transport-Security"] == nil)
            #expect(try client.isClosed())
        }

        @Test func metricsTellOfHandshakesAndExpiry() throws {
            let server = try Installation().start(Self.flags(TestCertificates.shared.ecdsa))
            let client = try server.connectSecurely()
            #expect(try client.exchange(.get("/healthz")).status == 200)
            _ = try server.connectSecurely(resuming: client.ticket())
            #expect(throws: (any Error).self) { try server.connectSecurely(.init(protocols: ["h2"])) }
            let text = try server.exchange(.get("/metrics")).text
            for line in [
                #"waymark_tls_handshakes_total{version="1.3",kind="full"} 1"#,
                #"waymark_tls_handshakes_total{version="1.3",kind="resumed"} 1"#,
                #"waymark_tls_handshakes_total{version="1.2",kind="full"} 0"#,
                #"waymark_tls_handshake_failures_total{reason="no_common_protocol"} 1"#,
                #"waymark_tls_certificate_expiry_timestamp_seconds{certificate="\#(TestCertificates.shared.ecdsa.certificate)"} "#,
            ] { #expect(text.contains("\n" + line), "\(line)\n\(text)") }
        }

        static func flags(_ files: CertificateFiles) -> [String] {
            [
                "--tls-listen", "127.0.0.1:0", "--certificate", files.certificate, "--private-key", files.privateKey,
            ]
        }

        private func reload(_ server: RunningServer) throws {
            let mark = "configuration read again"
            let before = server.program.errorLines.count { $0.contains(mark) }
            server.program.send(signal: SIGHUP)
            try eventually(
                "the configuration is read again",
                holds: { server.program.errorLines.count { $0.contains(mark) } > before })
        }
    }
}

/// A certificate and a key that are replaced while a server uses them.
private final class Files: Sendable {
    private let folder: TemporaryFolder
    let files: CertificateFiles

    init() throws {
        folder = try TemporaryFolder()
        files = CertificateFiles(certificate: folder.path("certificate.pem"), privateKey: folder.path("key.pem"))
    }

    var name: String { folder.url.lastPathComponent }

    func use(_ other: CertificateFiles) {
        copy(other.certificate, to: files.certificate)
        copy(other.privateKey, to: files.privateKey)
    }

    func copy(_ source: String, to target: String) {
        write((try? String(contentsOfFile: source, encoding: .utf8)) ?? "", to: target)
    }

    func write(_ text: String, to target: String) {
        try? text.write(toFile: target, atomically: true, encoding: .utf8)
    }

    func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

/// Clients that ask again and again, half of them on one connection and half on a new one each time.
private final class Load: Sendable {
    private let state = Mutex((answers: 0, failures: [String](), isEnding: false))
    private let running = DispatchGroup()

    init(port: UInt16, request: Request, location: String) {
        for number in 0..<4 {
            running.enter()
            Thread.detachNewThread { [self] in
                defer { running.leave() }
                do {
                    var client = try SecureConnection(port: port)
                    while !state.withLock({ $0.isEnding }) {
                        if number.isMultiple(of: 2) { client = try SecureConnection(port: port) }
                        let answer = try client.exchange(request)
                        state.withLock { state in
                            state.answers += 1
                            if answer["Location"] != location { state.failures.append("\(answer)") }
                        }
                    }
                } catch {
                    state.withLock { $0.failures.append("\(error)") }
                }
            }
        }
    }

    var answers: Int { state.withLock { $0.answers } }
    var failures: [String] { state.withLock { $0.failures } }

    func end() {
        state.withLock { $0.isEnding = true }
        running.wait()
    }
}
