import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// Behind proxies, and under limits.
    @Suite struct ProxyTests {
        private static let limits: JSONValue = [
            "unknownSlug": ["perMinute": 1, "burst": 2], "failedAuthentication": ["perMinute": 1, "burst": 1],
        ]

        private func unknown(_ fields: [(name: String, value: String)] = []) -> Request {
            var request = Request.get("/nothing")
            request.fields = fields + [("Accept", "application/json")]
            return request
        }

        @Test(arguments: EventLoops.all)
        func holdsEachClientBehindATrustedProxyToItsOwnLimit(loop: String) throws {
            let installation = try Installation(configuration: [
                "eventLoop": JSONValue(loop), "trustedProxies": ["127.0.0.0/8"], "rateLimits": Self.limits,
            ])
            let server = try installation.start()
            let connection = try server.connect()
            for fields in [
                [("Forwarded", "for=192.0.2.1")], [("X-Forwarded-For", "192.0.2.2")],
                [("Forwarded", "for=\"[2001:db8::1]:80\"")],
            ] {
                for status in [404, 404, 429] {
                    let answer = try connection.exchange(unknown(fields))
                    #expect(answer.status == status)
                    #expect((answer["Retry-After"] != nil) == (status == 429))
                    #expect(answer.problem == (status == 429 ? "rate-limited" : "link-unknown"))
                }
            }
            // The same /64, and an address that was made up ahead of the proxy's own word.
            #expect(try connection.exchange(unknown([("X-Forwarded-For", "2001:db8::ffff")])).status == 429)
            #expect(try connection.exchange(unknown([("X-Forwarded-For", "198.51.100.1, 192.0.2.1")])).status == 429)
            // Whoever asks from this machine for themselves is not limited.
            for _ in 0..<5 { #expect(try connection.exchange(unknown()).status == 404) }
            // What a client adds in the other kind of field frees it from nothing.
            let spoofed = [("Forwarded", "for=198.51.100.1"), ("X-Forwarded-For", "192.0.2.1")]
            #expect(try connection.exchange(unknown(spoofed)).status == 429)
        }

        @Test func believesNobodyByItself() throws {
            let installation = try Installation(configuration: ["rateLimits": Self.limits])
            let server = try installation.start()
            for _ in 0..<5 { #expect(try server.exchange(unknown()).status == 404) }
            // What is forwarded counts by the address of the proxy, whatever it says, and on every connection.
            let connection = try server.connect()
            let statuses = try [
                ("X-Forwarded-For", "192.0.2.1"), ("Via", "1.1 nginx"), ("X-Forwarded-Port", "443"),
            ].map { try connection.exchange(unknown([$0])).status }
            #expect(statuses == [404, 404, 429])
            for field in [("Forwarded", "for=192.0.2.9"), ("X-Real-IP", "192.0.2.9")] {
                #expect(try server.exchange(unknown([field])).status == 429)
            }
            #expect(try connection.exchange(unknown()).status == 404)
            #expect(server.program.errorText.components(separatedBy: "trustedProxies").count == 2)
        }

        @Test func limitsLoopbackWhereItIsToldTo() throws {
            var limits = try #require(Self.limits.object)
            limits["exemptLoopback"] = false
            let installation = try Installation(configuration: ["rateLimits": JSONValue(limits)])
            let server = try installation.start()
            for status in [404, 404, 429] { #expect(try server.exchange(unknown()).status == status) }
            #expect(try server.exchange(.api("GET", "/links", key: nil)).status == 401)
            #expect(try server.exchange(.api("GET", "/links", key: nil)).status == 429)
            #expect(try server.exchange(.api("GET", "/links")).status == 200)
            // Limits are taken over without a restart.
            try installation.write(configuration: ["rateLimits": ["unknownSlug": false, "exemptLoopback": false]])
            server.program.send(signal: SIGHUP)
            try eventually("the new limits hold", holds: { try server.exchange(unknown()).status == 404 })
        }

        @Test(arguments: EventLoops.all)
        func servesTheHostThatTheProxyNames(loop: String) throws {
            let installation = try Installation(configuration: [
                "eventLoop": JSONValue(loop), "trustedProxies": ["127.0.0.1"],
            ])
            let server = try installation.start()
            let slug = try #require(
                try server.exchange(.create(#"{"urls": {"web": "https://www.example.com/"}}"#)).json["slug"]?.string)
            for field in [
                ("X-Forwarded-Host", Shop.host), ("Forwarded", "host=\(Shop.host)"),
                ("Forwarded", "host=\"\(Shop.host):443\";proto=https"),
            ] {
                var request = Request.get("/\(slug)", host: "10.0.0.7:8080", userAgent: Browser.desktop)
                #expect(try server.exchange(request).status == 404)
                request.fields.append(field)
                // The second time from the cache of finished answers.
                for _ in 0..<3 { #expect(try server.exchange(request).status == 302) }
            }
        }

        @Test(arguments: EventLoops.all)
        func speaksTheProxyProtocol(loop: String) throws {
            let installation = try Installation(configuration: [
                "listen": ["127.0.0.1:0", ["address": "unix:w.sock", "proxyProtocol": true]],
                "eventLoop": JSONValue(loop), "trustedProxies": ["unix"], "rateLimits": Self.limits,
            ])
            let server = try installation.start()
            let path = installation.folder.path + "/w.sock"
            let binary: [UInt8] =
                [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x21, 0x21, 0, 36, 0x20, 1, 0x0D, 0xB8]
                + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 0, count: 20)
            for header in [Array("PROXY TCP4 192.0.2.1 192.0.2.9 1000 80\r\n".utf8), binary] {
                for status in [404, 404, 429] {
                    let connection = try Connection(path: path)
                    try connection.send(header)
                    #expect(try connection.exchange(unknown()).status == status)
                }
            }
            let connection = try Connection(path: path)
            try connection.send(unknown().bytes)
            #expect(try connection.isClosed())
            // The other listener speaks plain HTTP.
            #expect(try server.exchange(.get("/healthz")).status == 200)
        }

        /// `curl` speaks the PROXY protocol, and TLS behind it.
        @Test(arguments: EventLoops.all)
        func speaksTheProxyProtocolAheadOfTLS(loop: String) throws {
            let installation = try Installation(configuration: [
                "eventLoop": JSONValue(loop), "trustedProxies": ["127.0.0.0/8"],
                "tlsListen": ["127.0.0.1:0,proxy"],
                "certificates": [["certificate": "certificate.pem", "privateKey": "key.pem"]],
            ])
            func run(_ arguments: [String]) throws -> String {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                process.arguments = arguments
                process.currentDirectoryURL = installation.folder
                let output = Pipe()
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                try process.run()
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return String(decoding: data, as: UTF8.self)
            }
            _ = try run([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                "key.pem", "-out", "certificate.pem", "-subj", "/CN=localhost", "-days", "2",
            ])
            let server = try installation.start()
            let log = server.program.errorText
            let start = try #require(log.firstRange(of: "https://127.0.0.1:")).upperBound
            let port = log[start...].prefix(while: \.isNumber)
            let url = "https://127.0.0.1:\(port)/healthz"
            #expect(try run(["curl", "-sk", "--haproxy-protocol", url]) == #"{"status":"ok"}"#)
            #expect(try run(["curl", "-sk", "--max-time", "20", url]) == "")
        }

        @Test func keepsOperatorsToolsToTheirListener() throws {
            let installation = try Installation(configuration: ["adminListen": "unix:admin.sock"])
            let server = try installation.start()
            let path = installation.folder.path + "/admin.sock"
            for target in ["/metrics", "/api/v1/apps", "/api/v1/keys", "/_/", "/_/index.html", "/_/association.js"] {
                var request = Request.get(target)
                request.fields = [("Authorization", "Bearer \(Installation.adminKey)")]
                #expect(try server.exchange(request).status == 404, "\(target)")
                #expect(try Connection(path: path).exchange(request).status == 200, "\(target)")
                guard !target.hasPrefix("/_/") || target == "/_/" else { continue }
                request.method = "PATCH"
                #expect(try server.exchange(request).status == 404, "\(target)")
            }
            for target in ["/_/style.css", "/_/open.js", "/_/icon.svg", "/_/openapi.json", "/healthz"] {
                #expect(try server.exchange(.get(target)).status == 200, "\(target)")
            }
            #expect(try Connection(path: path).exchange(.get("/healthz")).status == 200)
        }
    }
}
