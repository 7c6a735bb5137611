import ArgumentParser
import Foundation
import Testing
import WaymarkJSON

@testable import waymark

/// Values of a setting that the configuration file may hold.
struct SettingSample: Sendable, CustomTestStringConvertible {
    let name: String
    /// A value that is not the default, and how `check-config --json` shows it.
    let value: JSONValue
    let shown: JSONValue
    /// The value of a flag or a variable, another one than `value`, and how it is shown.
    let text: String
    let shownText: JSONValue
    /// Values that are refused.
    let wrong: [JSONValue]
    /// What else the file needs.
    let others: JSONObject

    var testDescription: String { name }

    init(
        _ name: String, _ value: JSONValue, shown: JSONValue? = nil, text: String = "", shownText: JSONValue = .null,
        wrong: [JSONValue], others: JSONObject = [:]
    ) {
        self.name = name
        self.value = value
        self.shown = shown ?? value
        self.text = text
        self.shownText = shownText
        self.wrong = wrong
        self.others = others
    }

    var setting: any AnySetting {
        get throws { try #require(Settings.all.first { $0.name == name }) }
    }

    static let key = String(repeating: "0f", count: 32)
    static let certificates: JSONValue = [["certificate": "/c.pem", "privateKey": "/k.pem", "ocspStaple": "/s.der"]]

    /// One for each key of the configuration file.
    static let all: [SettingSample] = [
        SettingSample(
            "listen", ["127.0.0.1:7001", ["address": "[::1]:7002", "proxyProtocol": false]],
            shown: ["127.0.0.1:7001", "[::1]:7002"], text: "127.0.0.1:7003", shownText: ["127.0.0.1:7003"],
            wrong: ["127.0.0.1:0", [], ["127.0.0.1:0", 80], ["127.0.0.1"], 8_080]),
        SettingSample(
            "tlsListen", ["127.0.0.1:7001"], text: "systemd:web", shownText: ["systemd:web"],
            wrong: ["127.0.0.1:0", ["nowhere"], true], others: ["certificates": certificates]),
        SettingSample(
            "certificates", certificates,
            wrong: ["/c.pem", ["/c.pem"], [["certificate": "/c.pem"]], [["certificate": "", "privateKey": "/k.pem"]]]),
        SettingSample(
            "acme",
            [
                "directory": "https://ca.example.com/dir", "email": "ops@example.com", "agreeToTerms": true,
                "hosts": ["go.example.com"], "fallbacks": [["directory": "https://other.example.com/dir"]],
            ],
            wrong: [
                true, [:], ["email": "ops@example.com"], ["email": "ops@example.com", "agreeToTerms": false],
                ["email": "ops", "agreeToTerms": true], ["email": "a@b", "agreeToTerms": true, "host": "a"],
                ["email": "a@b", "agreeToTerms": true, "directory": "http://ca.example.com/"],
                ["email": "a@b", "agreeToTerms": true, "hosts": ["*.example.com"]],
                ["email": "a@b", "agreeToTerms": true, "externalAccount": ["keyID": "a", "macKey": "short"]],
                ["email": "a@b", "agreeToTerms": true, "fallbacks": [["email": "a@b"]]],
            ]),
        SettingSample("unknownNames", "reject", wrong: ["Reject", true]),
        SettingSample(
            "hsts", ["maxAge": 63_072_000, "includeSubDomains": true, "preload": true],
            wrong: [
                63_072_000, [:], ["maxAge": -1], ["maxAge": "1"], ["maxAge": 1, "preload": true],
                ["maxAge": 1, "includeSubdomains": true],
            ]),
        SettingSample(
            "httpsRedirect", ["listen": ["127.0.0.1:7001"], "port": 8_443, "status": 301],
            wrong: [
                ["127.0.0.1:0"], [:], ["listen": []], ["listen": ["a"]], ["listen": ["127.0.0.1:0"], "status": 302],
                ["listen": ["127.0.0.1:0"], "port": 0],
            ]),
        SettingSample(
            "adminListen", "127.0.0.1:7001", text: "unix:/w.sock,mode=0600", shownText: "unix:/w.sock,mode=0600",
            wrong: ["nowhere", 8_080, ["127.0.0.1:0"]]),
        SettingSample(
            "database", "sqlite:/links.sqlite", text: "sqlite::memory:", shownText: "sqlite::memory:",
            wrong: [true, "redis://localhost", "sqlite:"]),
        SettingSample("minimumFreeDisk", 0, wrong: [-1, 1_099_511_627_777, "1"]),
        SettingSample("threads", 3, text: "5", shownText: 5, wrong: [0, 257, "2", JSONValue(1.5) ?? true, true]),
        SettingSample("eventLoop", "dispatch", text: "epoll", shownText: "epoll", wrong: ["poll", 1]),
        SettingSample("public", "/", text: "/tmp", shownText: "/tmp", wrong: [7, "", "/nowhere/at/all", "/dev/null"]),
        SettingSample("applications", "/apps.json", wrong: [["apps.json"], ""]),
        SettingSample("blockedHostsFile", "/hosts", wrong: [["example.com"], ""]),
        SettingSample("countryFile", "/countries.mmdb", wrong: [1, ""]),
        SettingSample("cacheBytes", 1_048_576, wrong: [1_048_575, 1_099_511_627_777, "64 MiB"]),
        SettingSample("staleSeconds", 0, wrong: [-1, 604_801, "1"]),
        SettingSample(
            "clicks",
            [
                "retentionDays": 30, "totalsRetentionDays": 40, "record": false, "visitors": false,
                "detail": "noVisitors", "flushSeconds": 60, "spoolBytes": 0,
            ],
            wrong: [
                400, ["retentionDay": 400], ["retentionDays": 0], ["retentionDays": 3_651], ["record": 1],
                ["visitors": "none"], ["detail": "none"], ["detail": true], ["flushSeconds": 61],
                ["retentionDays": "400"], ["totalsRetentionDays": 0],
                ["spoolBytes": -1],
            ]),
        SettingSample(
            "clickhouse",
            [
                "url": "https://clickhouse.example.com:8443", "database": "waymark", "user": "waymark",
                "passwordFile": "/run/clickhouse", "authority": "/etc/ca.pem", "retentionDays": 500,
            ],
            wrong: [
                [], ["url": "http://127.0.0.1:8123", "database": "waymark"],
                ["url": "127.0.0.1:8123", "database": "waymark", "user": "w"],
                ["url": "http://192.0.2.1:8123", "database": "waymark", "user": "w"],
                ["url": "https://w:secret@clickhouse.example.com", "database": "waymark", "user": "w"],
                ["url": "https://clickhouse.example.com?user=w", "database": "waymark", "user": "w"],
                ["url": "https://clickhouse.example.com", "database": "way-mark", "user": "w"],
                ["url": "http://127.0.0.1:8123", "database": "waymark", "user": "w", "authority": "/etc/ca.pem"],
            ]),
        SettingSample(
            "audit", ["retentionDays": 30], wrong: [30, ["retentionDays": 0], ["retentionDays": 3_651], ["days": 30]]),
        SettingSample(
            "imports", ["uploadBytes": 1_048_576, "running": 1, "folder": "/tmp"],
            wrong: [8, ["uploadBytes": 1], ["running": 0], ["running": 65], ["folder": "/nowhere"], ["path": "/"]]),
        SettingSample(
            "webhooks", ["allowedNetworks": ["10.0.0.0/8", "::1"]],
            wrong: [[], ["allowedNetworks": "10.0.0.0/8"], ["allowedNetworks": ["10.0.0.1/8"]], ["networks": []]]),
        SettingSample(
            "verification",
            ["every": "86400s", "perHost": "1/s", "secondLook": "3600s", "contact": "ops@example.com"],
            wrong: [
                "24h", [], ["every": 24], ["every": "1s"], ["every": "24h", "perHost": "fast"],
                ["every": "24h", "secondLook": "0s"], ["every": "24h", "contact": "a (b)"],
            ]),
        SettingSample(
            "metadataKeys", [["id": "a", "key": JSONValue(key)]], shown: [["id": "a"]], text: "b=\(key)",
            shownText: [["id": "b"]],
            wrong: ["a", ["a"], [["key": JSONValue(key)]], [["id": "a b", "key": JSONValue(key)]]]),
        SettingSample(
            "dashboard", ["plainNetworks": ["192.168.1.0/24", "::1"], "keySignIn": false],
            wrong: [
                [], ["keySignIn": "no"], ["plainNetworks": "10.0.0.0/8"], ["plainNetworks": ["10.0.0.1/8"]],
                ["networks": []],
            ]),
        SettingSample(
            "oidc",
            [
                "issuer": "https://id.example.com", "clientID": "waymark", "clientSecretFile": "/run/oidc",
                "name": "Example", "createPeople": true,
                "roles": [
                    "claim": "realm_access.roles",
                    "map": ["admins": ["admin"], "shop": ["viewer", ["role": "editor", "app": "shop"]]],
                ],
            ],
            wrong: [
                [], ["issuer": "https://id.example.com"], ["issuer": "id.example.com", "clientID": "w"],
                ["issuer": "https://id.example.com?x", "clientID": "w"],
                ["issuer": "https://id.example.com", "clientID": "w", "createPeople": true],
                ["issuer": "https://id.example.com", "clientID": "w", "roles": ["claim": "r", "map": ["a": "owner"]]],
                ["issuer": "https://id.example.com", "clientID": "w", "roles": ["claim": "r", "map": "admin"]],
            ]),
        SettingSample(
            "proxySignIn", ["header": "X-User"], wrong: [[], ["header": "X User"], ["field": "X-User"], "X-User"]),
        SettingSample(
            "assistants", ["unplannedLinks": 0], wrong: [[], 10, ["links": 10], ["unplannedLinks": -1]]),
        SettingSample(
            "limits", limits, wrong: [[1], "10", ["conections": 1], ["headerSeconds": 0], ["connections": "10"]]),
        SettingSample("accessLog", 20, wrong: [1, "on", [:]]),
        SettingSample("accessLogFormat", "combined", wrong: ["clf", true]),
        SettingSample("accessLogFile", "/dev/null", wrong: ["/", "/nowhere/at/all/access.log", 1]),
        SettingSample("logLevel", "debug", wrong: ["loud", 1]),
        SettingSample("logFormat", "json", wrong: ["JSON", 1]),
        SettingSample(
            "trustedProxies", ["10.0.0.0/8", "2001:db8::/32", "unix"],
            wrong: ["127.0.0.1", ["127.0.0.1", 7], ["10.0.0.1/8"], ["localhost"]]),
        SettingSample("forwardedFields", "x-forwarded", wrong: ["X-Forwarded-For", []]),
        SettingSample("countryHeader", "CF-IPCountry", wrong: ["CF IPCountry", 1]),
        SettingSample(
            "rateLimits", rateLimits,
            wrong: [
                [], ["creates": false], ["create": true], ["create": ["perMinute": 1]], ["exemptLoopback": 1],
                ["create": ["perMinute": 0, "burst": 1]], ["create": ["perMinute": 1, "burst": 1, "size": 1]],
            ]),
    ]

    /// The defaults, with one that differs.
    private static func defaults(_ name: String, _ change: (inout JSONObject) -> Void) -> JSONValue {
        var members = (try? Configuration.reading([:]))?.document[name]?.object ?? [:]
        change(&members)
        return JSONValue(members)
    }

    private static let limits = defaults("limits") { $0["connections"] = 5 }
    private static let rateLimits = defaults("rateLimits") {
        $0["create"] = ["perMinute": 1, "burst": 2]
        $0["resolve"] = false
    }
}

extension Configuration {
    /// What the file, the environment and the flags of `serve` give together.
    static func reading(
        _ members: JSONObject, environment: [String: String] = [:], arguments: [String] = []
    ) throws -> Configuration {
        try reading(JSONValue(members).text(), environment: environment, arguments: arguments)
    }

    static func reading(
        _ text: String, environment: [String: String] = [:], arguments: [String] = []
    ) throws -> Configuration {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let options = try ServeOptions.parse(["--config", file.path] + arguments)
        return try Configuration(flags: options.flags, environment: environment)
    }
}
