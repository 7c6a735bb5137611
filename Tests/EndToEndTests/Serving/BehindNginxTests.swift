#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
    import Testing
    import WaymarkJSON

    extension EndToEnd {
        /// Two servers behind one address, with the configuration that `deploy/compose` gives for nginx.
        @Suite(
            .enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"),
            .enabled(if: FileManager.default.isExecutableFile(atPath: Nginx.program), "nginx is not installed"))
        struct BehindNginxTests {
            @Test func theAddressAnswersWhicheverServerIsThere() throws {
                let fleet = try Fleet()
                let ports = try (0..<fleet.count).map { try #require(fleet.port(of: $0)) }
                let nginx = try Nginx(servers: ports)
                let client = try Connection(port: nginx.port, keeping: nginx)
                let created = try client.exchange(.create(Shop.gift(redeemLimit: 2)))
                #expect(created.status == 201)
                let resolve = Request.resolve(#"{"smartlink": "https://go.example.com/gift"}"#, idempotencyKey: "one")
                #expect(try client.exchange(resolve).json["redeem"]?["used"] == 1)
                let visit = Request.get("/gift", userAgent: Browser.desktop)
                for _ in 0..<10 { #expect(try client.exchange(visit).status == 302) }

                // Either server is killed; the other one goes on.
                for location in 0..<fleet.count {
                    // nginx may still leave the one alone that was killed before.
                    try eventually("both are in use", holds: { try client.exchange(visit).status == 302 })
                    try fleet.killServer(location)
                    if location == 0 {
                        // Not one answer is lost on the way.
                        for _ in 0..<20 { #expect(try client.exchange(visit).status == 302) }
                    }
                    try eventually("visits go on", holds: { try client.exchange(visit).status == 302 })
                    // A POST is the client's to repeat, and its key makes it the same one.
                    let again = try eventually("the same answer") {
                        let answer = try client.exchange(resolve)
                        return answer.status == 200 ? answer : nil
                    }
                    #expect(again.json["redeem"]?["used"] == 1)
                    try fleet.startServer(location, at: ports[location])
                }
            }

            @Test func visitsGoOnBesideCallsThatFailWithoutTheDatabase() throws {
                let fleet = try Fleet()
                let ports = try (0..<fleet.count).map { try #require(fleet.port(of: $0)) }
                let nginx = try Nginx(servers: ports)
                let client = try Connection(port: nginx.port, keeping: nginx)
                #expect(try client.exchange(.create(Shop.gift())).status == 201)
                let visit = Request.get("/gift", userAgent: Browser.desktop)
                // A server that hears of the creation only now would forget the link again. It hears of changes in order.
                let news = #"{"domains": ["news.example.com"], "onUnknown": "https://news.example.org/"}"#
                #expect(try client.exchange(.api("PUT", "/apps/news", news)).status == 201)
                for port in ports {
                    let server = try Connection(port: port)
                    try eventually(
                        "the application is known",
                        holds: { try server.exchange(.get("/", host: "news.example.com")).status == 302 })
                    #expect(try server.exchange(visit).status == 302)
                }

                try fleet.bounceDatabase {
                    for number in 0..<10 {
                        let call = try client.exchange(.api("GET", "/links/go.example.com/gift"))
                        #expect(call.status == 503, "\(call)")
                        #expect(call["Retry-After"] != nil)
                        let unknown = try client.exchange(.get("/unknown\(number)", userAgent: Browser.desktop))
                        #expect(unknown.status == 503, "\(unknown)")
                        #expect(try client.exchange(visit).status == 302)
                    }
                }
            }
        }
    }

    /// nginx in front of servers, on a free port.
    final class Nginx: Sendable {
        static let program = "/usr/sbin/nginx"

        let port: UInt16
        private let folder: TemporaryFolder
        private let process: Process

        init(servers: [UInt16]) throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            let port = try SocketListener().port
            self.port = port
            let file = Executable.package.appendingPathComponent("deploy/compose/nginx.conf")
            var text = try String(contentsOf: file, encoding: .utf8)
            for (number, server) in servers.enumerated() {
                text = text.replacingOccurrences(of: "waymark-\(number + 1):8080", with: "127.0.0.1:\(server)")
            }
            text = text.replacingOccurrences(of: "listen 80;", with: "listen 127.0.0.1:\(port);")
            let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n")
            let whole = """
                daemon off;
                pid \(folder.path)/pid;
                events {}
                http {
                access_log off;
                \(paths)
                \(text)
                }
                """
            try folder.write(whole, to: "nginx.conf")
            process = Process()
            process.executableURL = URL(fileURLWithPath: Self.program)
            process.arguments = ["-p", folder.path, "-e", folder.path + "/log", "-c", folder.path("nginx.conf")]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try eventually("nginx listens", holds: { (try? Connection(port: port)) != nil })
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }
    }
#endif
