#if CountryFile
    import WaymarkTestSupport
    import Foundation
    import Testing
    import WaymarkJSON

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension EndToEnd {
        /// `countryFile`: read at the start and on SIGHUP.
        @Suite struct CountryFileTests {
            private static let link = #"""
                {"slug": "a", "urls": {"web": "https://all.example/"},
                 "rules": [{"when": {"country": ["DE", "FR"]}, "to": "https://near.example/"}]}
                """#

            private static func put(_ country: String?, in installation: Installation) throws {
                let location = installation.folder.appendingPathComponent("countries.mmdb").path
                let made: String
                if let country {
                    made = try MaxMindFile.write([("127.0.0.0", 8, country), ("::1", 128, country)])
                } else {
                    made = location + ".damaged"
                    try Data("no such file".utf8).write(to: URL(fileURLWithPath: made))
                }
                // As every tool does that brings such files up to date: the old one may still be in use.
                guard rename(made, location) == 0 else { throw CocoaError(.fileWriteUnknown) }
            }

            @Test func aVisitorsAddressTellsTheCountryForRulesAndRecords() throws {
                let installation = try Installation(configuration: ["countryFile": "countries.mmdb"])
                try Self.put("DE", in: installation)
                let server = try installation.start()
                let client = try server.connect()
                #expect(try client.exchange(.create(Self.link)).status == 201)
                #expect(
                    try client.exchange(.create(#"{"slug": "b", "urls": {"web": "https://all.example/"}}"#)).status
                        == 201)
                for slug in ["a", "b"] {
                    let expected = slug == "a" ? "https://near.example/" : "https://all.example/"
                    for _ in 0..<4 {
                        let visit = try client.exchange(.get("/\(slug)", userAgent: Browser.desktop))
                        #expect(visit["Location"] == expected)
                    }
                    let clicks = try client.exchange(
                        .api("GET", "/links/go.example.com/\(slug)/clicks?country=DE"))
                    #expect(clicks.status == 200)
                    #expect(clicks.text.contains(#""people":4"#), "\(clicks.text)")
                }

                try Self.put("US", in: installation)
                server.program.send(signal: SIGHUP)
                try eventually(
                    "the new file holds",
                    holds: {
                        try client.exchange(.get("/a", userAgent: Browser.desktop))["Location"]
                            == "https://all.example/"
                    })

                // A bad file changes nothing.
                try Self.put(nil, in: installation)
                server.program.send(signal: SIGHUP)
                try eventually("the file is named", holds: { server.program.errorText.contains("countries.mmdb: ") })
                #expect(
                    try client.exchange(.get("/a", userAgent: Browser.desktop))["Location"] == "https://all.example/")
            }

            @Test(arguments: ["serve", "check-config"])
            func aFileThatCannotBeReadStartsNothing(command: String) throws {
                let installation = try Installation(configuration: ["countryFile": "countries.mmdb"])
                let run = try installation.run([command, "--config", installation.configurationFile.path])
                #expect(run.end == .exit(2))
                #expect(run.errorLines.count == 1)
                #expect(run.errors.contains("countries.mmdb: "), "\(run)")
            }
        }
    }
#endif
