import Foundation
import TLSTestSupport
import Testing
import WaymarkJSON
import WaymarkTLS
import WaymarkTestSupport

extension EndToEnd {
    /// `waymark doctor` against servers on this machine.
    @Suite struct DoctorCommandTests {
        private static let applications =
            #"[{"id":"shop","domains":["localhost"],"ios":{"appIDs":["ABCDE12345.com.example.shop"]},"android":{"package":"com.example.shop","sha256CertFingerprints":["\#(Shop.fingerprint)"]}}]"#

        /// By check, of one host or of the machine.
        private static func findings(_ run: CommandRun, of host: String?) -> [String: JSONValue] {
            var findings: [String: JSONValue] = [:]
            for finding in run.json["findings"]?.array ?? [] where finding["host"]?.string == host {
                findings[finding["check"]?.string ?? ""] = finding
            }
            return findings
        }

        @Test func checksAServerByItsDatabase() throws {
            let authority = try TestAuthority()
            let files = authority.issue("good", names: ["localhost"], serial: 5, days: 90)
            let installation = try Installation(applications: Self.applications)
            let server = try installation.start(TLSTests.flags(files))
            let name = "localhost:\(try server.securePort())"
            let link = #"{"slug": "first", "domain": "localhost", "urls": {"web": "https://shop.waymark.invalid/"}}"#
            #expect(try server.exchange(.create(link)).status == 201)
            let run = try installation.run(
                ["doctor", name, "--config", "waymark.json", "--json"],
                environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            let redirects = (run.json["findings"]?.array ?? []).filter { $0["check"] == "redirects" }
            #expect(redirects.count == 2 && redirects[1]["detail"]?.string?.hasPrefix("/first: ") == true, "\(run)")
            let host = Self.findings(run, of: name)
            for check in ["certificate", "served", "apple-file", "google-file", "redirects"] {
                #expect(host[check]?["state"]?.string == "ok", "\(check): \(run)")
                #expect(host[check]?["fix"]?.isNull == true)
            }
            // Every server of a test is on the loopback address.
            #expect(host["dns"]?["state"]?.string == "finding")
            #expect(host["apple-cdn"]?["state"]?.string == "skipped")
            let machine = Self.findings(run, of: nil)
            #expect(machine["database"]?["state"]?.string == "ok", "\(run)")
            #expect(machine["database"]?["detail"]?.string?.hasSuffix("and a server has it open") == true)
            #expect(machine["proxies"]?["state"]?.string == "ok")
            #expect(run.end == .exit(1))
            #expect(run.errors.isEmpty)
        }

        @Test func findsExpiredCertificatesAndOtherNames() throws {
            let authority = try TestAuthority()
            let files = authority.issue("old", names: ["go.example.com"], serial: 3, days: -1)
            let installation = try Installation(applications: Self.applications)
            let server = try installation.start(TLSTests.flags(files))
            let name = "localhost:\(try server.securePort())"
            let run = try installation.run(
                ["doctor", name, "--config", "waymark.json"],
                environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            #expect(run.output.contains("finding  certificate  it is valid for go.example.com only; get"), "\(run)")
            #expect(run.output.contains("finding  certificate  it expired on"))
            #expect(run.output.hasPrefix("\(name)\n  finding  dns"))
            #expect(run.end == .exit(1))
        }

        @Test func acceptsFreshShortLivedCertificates() throws {
            let authority = try TestAuthority()
            let files = authority.issue("short", names: ["localhost"], serial: 6, days: 6)
            let installation = try Installation(applications: Self.applications)
            let server = try installation.start(TLSTests.flags(files))
            let name = "localhost:\(try server.securePort())"
            let run = try installation.run(
                ["doctor", name, "--json"], environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            let certificate = Self.findings(run, of: name)["certificate"]
            #expect(certificate?["state"]?.string == "ok", "\(run)")
            #expect(certificate?["detail"]?.string?.hasPrefix("trusted until") == true)
        }

        @Test func saysThatNoApplicationHasTheHost() throws {
            let authority = try TestAuthority()
            let files = authority.issue("good", names: ["localhost"], serial: 7)
            let installation = try Installation()
            let server = try installation.start(TLSTests.flags(files))
            let name = "localhost:\(try server.securePort())"
            let run = try installation.run(
                ["doctor", name, "--config", "waymark.json", "--json"],
                environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            let served = Self.findings(run, of: name)["served"]
            #expect(served?["detail"]?.string == "Waymark answers, but no application has this host", "\(run)")
        }

        @Test func takesTheHostsOfARunningServer() throws {
            let installation = try Installation(
                applications: #"[{"id":"shop","domains":["go.waymark.invalid"],"openHost":"open.waymark.invalid"}]"#)
            let server = try installation.start()
            let run = try installation.run(
                ["doctor", "--url", "http://127.0.0.1:\(server.port)", "--json"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            let hosts = (run.json["findings"]?.array ?? []).compactMap { $0["host"]?.string }
            #expect(Set(hosts) == ["go.waymark.invalid", "open.waymark.invalid"], "\(run)")
            #expect(Self.findings(run, of: "go.waymark.invalid")["https"]?["state"]?.string == "skipped")
        }

        @Test func findsAPortThatRefuses() throws {
            // Nothing listens on the port of tcpmux.
            let port = 1
            let installation = try Installation()
            let run = try installation.run(["doctor", "127.0.0.1:\(port)", "--json"])
            let host = Self.findings(run, of: "127.0.0.1:\(port)")
            #expect(host["https"]?["state"]?.string == "finding", "\(run)")
            #expect(host["https"]?["detail"]?.string == "127.0.0.1 refuses connections to port \(port)")
            for check in ["certificate", "served", "apple-file", "google-file", "redirects"] {
                #expect(host[check]?["state"]?.string == "skipped")
            }
            #expect(run.end == .exit(1))
        }

        @Test func checksAHostThatIsGivenTwiceOnce() throws {
            let run = try Installation().run(["doctor", "127.0.0.1:1", "127.0.0.1:1", "--json"])
            let checks = (run.json["findings"]?.array ?? []).filter { $0["check"]?.string == "https" }
            #expect(checks.count == 1, "\(run)")
        }

        @Test func namesADatabaseThatIsMissing() throws {
            let installation = try Installation()
            let run = try installation.run(["doctor", "127.0.0.1:1", "--config", "waymark.json", "--json"])
            let database = Self.findings(run, of: nil)["database"]
            #expect(database?["state"]?.string == "finding", "\(run)")
            #expect(!FileManager.default.fileExists(atPath: installation.databaseFile.path))
        }

        @Test(arguments: [
            ["doctor"], ["doctor", "https://go.example.com"], ["doctor", "go.example.com:0"],
            ["doctor", "go.example.com", "--config", "missing.json"], ["doctor", "--url", "http://127.0.0.1:1"],
            ["doctor", "--url", "http://127.0.0.1:1", "--key", "wm_x"],
        ])
        func endsWithTwoIfNothingCanBeChecked(arguments: [String]) throws {
            let folder = try TemporaryFolder()
            let program = try Program(arguments, in: folder.url)
            #expect(try program.wait() == .exit(2))
            #expect(program.errorLines.count == 1, "\(program.errorText)")
            #expect(program.outputText.isEmpty)
        }
    }
}

extension EndToEnd {
    /// `waymark doctor` for hosts that another server answers for.
    @Suite struct DoctorOtherServerTests {
        private static let apple = ".well-known/apple-app-site-association"
        private static let google = ".well-known/assetlinks.json"

        private static func response(_ head: String, _ body: String) -> String {
            "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }

        /// By check.
        private static func findings(_ responses: [String: String]) throws -> [String: JSONValue] {
            let authority = try TestAuthority()
            let files = authority.issue("good", names: ["localhost"], serial: 8, isChained: false, days: 90)
            let server = try StubTLSServer(files, responses)
            let name = "localhost:\(server.port)"
            let run = try Installation().run(
                ["doctor", name, "--json"], environment: ["SSL_CERT_FILE": authority.path("ca.pem")])
            var found: [String: JSONValue] = [:]
            for finding in run.json["findings"]?.array ?? [] where finding["host"]?.string == name {
                found[finding["check"]?.string ?? ""] = finding
            }
            #expect(run.end == .exit(1), "\(run)")
            return withExtendedLifetime(server) { found }
        }

        @Test(arguments: [
            ("200 OK\r\nContent-Type: text/html", "{}", "fetch-type-html"),
            ("301 X\r\nLocation: https://www.example.com/x", "", "fetch-redirect"),
            ("403 X\r\nContent-Type: text/plain", "", "fetch-status"),
            ("200 OK\r\nContent-Type: application/json", "{", "json-"),
        ])
        func findsFilesThatApplesFetcherRefuses(head: String, body: String, rule: String) throws {
            let found = try Self.findings([Self.apple: Self.response(head, body)])
            #expect(found["apple-file"]?["state"]?.string == "finding", "\(found)")
            #expect(found["apple-file"]?["detail"]?.string?.contains("[\(rule)") == true, "\(found)")
            #expect(found["served"]?["state"]?.string == "finding")
        }

        @Test func findsAnAssetLinksFileOfAnotherType() throws {
            let found = try Self.findings([Self.google: Self.response("200 OK\r\nContent-Type: text/html", "[]")])
            #expect(found["google-file"]?["detail"]?.string?.contains("[fetch-type-html]") == true, "\(found)")
        }
    }
}
