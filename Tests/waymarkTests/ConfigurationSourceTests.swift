import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkService

@testable import waymark

/// Settings that only flags and variables give, lists, relative paths, and files that are refused as a whole.
@Suite struct ConfigurationSourceTests {
    @Test func theFileIsNamedByFlagAndVariable() throws {
        let missing = ["WAYMARK_CONFIG": "/missing.json"]
        #expect(try Configuration.reading(["threads": 3], environment: missing).threads == 3)
        let failure = #expect(throws: CommandFailure.self) { try Configuration(flags: [:], environment: missing) }
        #expect(failure?.message == "/missing.json: the file does not exist")
    }

    @Test func `a demonstration verifies no links`() throws {
        let configuration = try Configuration.reading(["verification": ["every": "24h"]])
        #expect(configuration.verification != nil)
        #expect(configuration.forDemo().verification == nil)
    }

    @Test(arguments: [(8080, ":8080"), (0, ""), (nil, "")] as [(UInt16?, String)])
    func `links of a demonstration have the port of the server`(port: UInt16?, suffix: String) throws {
        let origins = try DemoLinks.applications(port: port).map {
            $0.application.address(on: $0.application.domains[0])
        }
        #expect(origins == ["http://localhost\(suffix)", "http://cafe.localhost\(suffix)"])
    }

    @Test func aListIsRepeatedOrSeparatedByCommas() throws {
        let members: JSONObject = ["trustedProxies": ["::1", "unix"]]
        let text = "127.0.0.1:7002,proxy,[::1]:7003,unix:/w.sock,mode=0600,proxy,systemd:web"
        let addresses: JSONValue = [
            "127.0.0.1:7002,proxy", "[::1]:7003", "unix:/w.sock,mode=0600,proxy", "systemd:web",
        ]
        let environment = try Configuration.reading(members, environment: ["WAYMARK_LISTEN": text])
        #expect(environment.document["listen"] == addresses)
        let arguments = (addresses.array ?? []).flatMap { ["--listen", $0.string ?? ""] }
        #expect(try Configuration.reading(members, arguments: arguments).document["listen"] == addresses)
    }

    @Test func aPairOfFlagsReplacesTheCertificates() throws {
        let members: JSONObject = ["tlsListen": ["127.0.0.1:0"], "certificates": SettingSample.certificates]
        let configuration = try Configuration.reading(
            members, environment: ["WAYMARK_PRIVATE_KEY": "b.key"], arguments: ["--certificate", "b.pem"])
        #expect(configuration.document["certificates"] == [["certificate": "b.pem", "privateKey": "b.key"]])
        for flag in ["--certificate", "--private-key"] {
            let failure = #expect(throws: CommandFailure.self) {
                try Configuration.reading(members, arguments: [flag, "b"])
            }
            #expect(failure?.message.hasPrefix("\(flag): ") == true)
        }
    }

    @Test func theSourceOfAMissingCertificateIsNamed() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Configuration.reading([:], environment: ["WAYMARK_TLS_LISTEN": "127.0.0.1:0"])
        }
        #expect(failure?.message.hasPrefix("WAYMARK_TLS_LISTEN: TLS needs a certificate") == true)
    }

    @Test(arguments: ["wm_tooshort", "wm_0123456789abcdefghij0123456789-_", "0123456789abcdefghij0123456789abcdef"])
    func anAdminKeyIsNeitherShownNorRepeated(wrong: String) throws {
        let key = "wm_0123456789abcdefghij0123456789abcdef"
        let configuration = try Configuration.reading([:], environment: ["WAYMARK_ADMIN_KEY": key])
        #expect(configuration.adminKey?.text == key)
        #expect(!configuration.document.text().contains("wm_"))
        let failure = #expect(throws: CommandFailure.self) {
            try Configuration.reading([:], environment: ["WAYMARK_ADMIN_KEY": wrong])
        }
        #expect(failure?.message.contains(wrong) == false)
    }

    @Test(arguments: ["postgress://ana:secret@db/links", "mysql://ana:secret@db"])
    func aDatabaseWithUserInformationIsNotRepeated(url: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Configuration.reading([:], arguments: ["--database", url])
        }
        #expect(failure?.message.hasPrefix("--database: \"…\" is not allowed; give sqlite:PATH") == true)
    }

    @Test func relativePathsOfAFileStartAtItsFolder() throws {
        let configuration = try Configuration.reading([
            "applications": "apps.json", "database": "sqlite:links.sqlite", "listen": ["unix:w.sock"],
            "certificates": [["certificate": "c.pem", "privateKey": "/k.pem"]],
        ])
        let applications = try #require(configuration.applicationsFile)
        #expect(applications.hasPrefix("/") && applications.hasSuffix("/apps.json"))
        let folder = applications.dropLast("/apps.json".count)
        #expect(configuration.database.text == "sqlite:\(folder)/links.sqlite")
        #expect(configuration.listen.map(\.description) == ["unix:\(folder)/w.sock"])
        #expect(configuration.certificates.map(\.certificate.path) == ["\(folder)/c.pem"])
        #expect(configuration.certificates.map(\.privateKey.path) == ["/k.pem"])
    }

    private static let wrongFlags: [(flag: String, value: String, named: String)] = [
        ("--threads", "0", "1 to 256"), ("--threads", "999999999999999999999", "1 to 256"),
        ("--listen", "8080", "HOST:PORT"), ("--listen", "127.0.0.1:65536", "65535"),
        ("--listen", "::1:80", "HOST:PORT"),
        ("--listen", "", "HOST:PORT"), ("--listen", "unix:", "unix:PATH"),
        ("--listen", "unix:/\(String(repeating: "x", count: 120))", "unix:PATH"),
        ("--listen", "systemd:", "systemd:NAME"), ("--listen", "127.0.0.1:0,", ",proxy"),
        ("--listen", "127.0.0.1:0,prozy", ",proxy"), ("--listen", "127.0.0.1:0,proxy,proxy", ",proxy"),
        ("--listen", "127.0.0.1:0,mode=0600", "unix:PATH"), ("--listen", "unix:a.sock,mode=0888", "unix:PATH"),
        ("--public", "", "folder"), ("--config", "", "path"),
    ]

    @Test(arguments: wrongFlags)
    func aWrongFlagIsNamed(wrong: (flag: String, value: String, named: String)) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Configuration.reading([:], arguments: [wrong.flag, wrong.value])
        }
        let message = try #require(failure?.message)
        #expect(message.hasPrefix("\(wrong.flag): \"\(wrong.value)\" is not allowed; give "), "\(message)")
        #expect(message.contains(wrong.named), "\(message)")
    }

    private static let wrongMembers: [(members: JSONObject, named: [String])] = [
        (["lissten": ["127.0.0.1:0"]], ["unknown key \"lissten\"", "allowed: listen, "]),
        (["Threads": 1], ["Threads"]),
        (["adminKey": "wm_0"], ["adminKey"]),
        (["listen": [["address": "127.0.0.1:0", "proxy": true]]], ["listen[0]", "\"proxy\"", "proxyProtocol"]),
        (["listen": [["proxyProtocol": true]]], ["listen[0].address", "missing"]),
        (["listen": [["address": "127.0.0.1:0,proxy"]]], ["listen[0].address"]),
        (["listen": [["address": "127.0.0.1:0", "proxyProtocol": "yes"]]], ["listen[0].proxyProtocol"]),
        (["listen": [["address": "127.0.0.1:0", "mode": "0600"]]], ["listen[0].mode"]),
        (["listen": [["address": "unix:a", "mode": 600]]], ["listen[0].mode"]),
        (["listen": ["127.0.0.1:0,proxy"]], ["127.0.0.1:0,proxy", "trustedProxies"]),
        (["listen": ["127.0.0.1:0,proxy"], "trustedProxies": ["unix"]], ["trustedProxies"]),
        (["listen": ["127.0.0.1:0", "unix:a,proxy"], "trustedProxies": ["::1"]], ["unix:", "trustedProxies"]),
        (["clicks": ["retentionDay": 400]], ["clicks", "\"retentionDay\"", "retentionDays"]),
        (["clicks": ["flushSeconds": 61]], ["clicks.flushSeconds", " 61 ", "1 to 60"]),
        (["rateLimits": ["create": ["perMinute": 1]]], ["rateLimits.create.burst", "missing"]),
        (["rateLimits": ["create": ["perMinute": 1, "burst": 1, "size": 1]]], ["rateLimits.create", "size"]),
        (["trustedProxies": ["127.0.0.1", 7]], ["trustedProxies[1]", "a number"]),
        // A number in place of a string may be a secret without its quotation marks.
        (["metadataKeys": [["id": "a", "key": 123_456]]], ["metadataKeys[0].key", ": a number is not allowed"]),
        (["metadataKeys": [123_456]], ["metadataKeys[0]", ": a number is not allowed"]),
    ]

    @Test(arguments: wrongMembers)
    func aWrongMemberOfTheFileIsNamed(wrong: (members: JSONObject, named: [String])) throws {
        let failure = #expect(throws: CommandFailure.self) { try Configuration.reading(wrong.members) }
        let message = try #require(failure?.message)
        for word in wrong.named { #expect(message.contains(word), "\(message)") }
    }

    @Test(arguments: ["", "[]", "{\"threads\": 1,}", "{\"threads\": 1, \"threads\": 2}", "{\"threads\": 1} {}"])
    func aFileThatIsNotAnObjectIsNamed(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try Configuration.reading(text) }
        #expect(failure?.message.contains(".json: ") == true)
        #expect(failure?.status == 2)
    }
}
