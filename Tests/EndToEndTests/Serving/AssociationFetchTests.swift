import Testing
import WaymarkJSON

extension EndToEnd {
    /// Fetches of association files, as a real server records them.
    @Suite struct AssociationFetchTests {
        private static let apple = "/.well-known/apple-app-site-association"

        private static func file(_ server: RunningServer) throws -> JSONValue {
            let domains = try server.exchange(.api("GET", "/domains")).json["domains"]?.array
            let domain = domains?.first { $0["domain"]?.string == Shop.host }
            return try #require(domain?["association"]?["apple-app-site-association"])
        }

        @Test(arguments: EventLoops.all)
        func `fetches and changes outlast a restart`(eventLoop: String) throws {
            let installation = try Installation()
            let first = try installation.start(["--event-loop", eventLoop])
            // The second response would come from the cache.
            for agent in [nil, "AASA-Bot/1.0.0", nil, "AASA-Bot/1.0.0"] {
                #expect(try first.exchange(.get(Self.apple, userAgent: agent)).status == 200)
            }
            #expect(
                try first.exchange(.get("/metrics")).text.contains(
                    #"waymark_association_fetches_total{fetcher="apple",status="200"} 2"#))
            try first.stop()

            try installation.write(
                applications: Shop.applications.replacing("com.example.shop", with: "com.example.new"))
            let second = try installation.start(["--event-loop", eventLoop])
            let changed = try Self.file(second)
            #expect(changed["pending"] == true && changed["since"]?.string != nil, "\(changed)")
            let fetch = try #require(changed["fetches"]?["apple"])
            #expect(fetch["status"] == 200 && fetch["etag"] != changed["etag"])
            #expect(try second.exchange(.get(Self.apple, userAgent: "AASA-Bot/1.0.0")).status == 200)
            let fetched = try Self.file(second)
            #expect(fetched["pending"] == false && fetched["devicesMayHoldOldUntil"]?.string != nil, "\(fetched)")
            #expect(fetched["fetches"]?["apple"]?["etag"] == fetched["etag"])
            let files = try installation.run(
                ["domains", "files", "--url", "http://127.0.0.1:\(second.port)"],
                environment: ["WAYMARK_KEY": Installation.adminKey])
            #expect(files.output.contains("assetlinks.json") && files.output.contains("(200)"), "\(files)")
        }
    }
}
