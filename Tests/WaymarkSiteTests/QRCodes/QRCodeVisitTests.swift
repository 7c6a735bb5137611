import Testing
import WaymarkJSON
import WaymarkService

@testable import WaymarkSite

/// Smart links as pictures.
@Suite(.enabled(if: QRCode.isAvailable)) struct QRCodeVisitTests {
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func fixtureLink(_ fixture: SiteFixture, _ members: String = "") async throws -> String {
        let body = #"{"urls": {"web": "https://a.example/"}\#(members)}"#
        return try #require(try await fixture.create(body)["slug"]?.string)
    }

    @Test(arguments: TransportKind.allCases)
    func drawsTheLinksAddress(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let expected = try #require(QRCode(text: "https://go.example.com/\(slug)"))
            let png = try await fixture.visit("/\(slug)/qr.png")
            #expect(png.status == 200)
            #expect(png[header: "Content-Type"] == "image/png")
            #expect(png[header: "Cache-Control"] == "public, max-age=86400")
            #expect(png.body == expected.png())
            let svg = try await fixture.visit("/\(slug)/qr.svg")
            #expect(svg.status == 200)
            #expect(svg[header: "Content-Type"] == "image/svg+xml")
            #expect(svg[header: "Cache-Control"] == "public, max-age=86400")
            #expect(svg.body == expected.svg())
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersHEADWithoutThePicture(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            for name in ["qr.png", "qr.svg"] {
                let head = try await fixture.visit("/\(slug)/\(name)", method: "HEAD")
                #expect(head.status == 200)
                #expect(head[header: "Cache-Control"] == "public, max-age=86400")
                #expect(head.body.isEmpty)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func answersThatTheClientHasThePicture(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            for name in ["qr.png", "qr.svg"] {
                let tag = try #require(try await fixture.visit("/\(slug)/\(name)")[header: "ETag"])
                #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
                for (field, status) in [
                    ("If-None-Match", 304), ("If-Match", 200), ("If-Modified-Since", 200), ("If-Unmodified-Since", 200),
                ] {
                    let value = field.hasSuffix("Since") ? "Sat, 21 Nov 2026 10:00:00 GMT" : tag
                    for method in ["GET", "HEAD"] {
                        let answer = try await fixture.visit(
                            "/\(slug)/\(name)", method: method, headers: [(field, value)])
                        #expect(answer.status == status, "\(method) \(field)")
                        #expect(answer[header: "ETag"] == tag)
                        #expect(answer[header: "Cache-Control"] == "public, max-age=86400")
                        #expect(answer.body.isEmpty == (status == 304 || method == "HEAD"))
                        #expect((answer[header: "Content-Type"] == nil) == (status == 304))
                    }
                }
                for value in ["\"x\", W/\(tag)", "*"] {
                    let answer = try await fixture.visit("/\(slug)/\(name)", headers: [("If-None-Match", value)])
                    #expect(answer.status == 304, "\(value)")
                }
                let other = try await fixture.visit("/\(slug)/\(name)", headers: [("If-None-Match", "\"x\"")])
                #expect(other.status == 200 && !other.body.isEmpty)
                let failed = try await fixture.visit("/\(slug)/\(name)", headers: [("If-Match", "\"x\"")])
                #expect(failed.status == 412 && failed.problem == "version-mismatch")
            }
        }
    }

    @Test func everyPictureHasATagOfItsOwn() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slugs = [try await Self.fixtureLink(fixture), try await Self.fixtureLink(fixture)]
            var tags: [String] = []
            for slug in slugs {
                for name in ["qr.png", "qr.svg"] {
                    for query in ["", "?size=300", "?margin=2", "?level=H", "?dark=123", "?light=fff4e0"] {
                        let answer = try await fixture.visit("/\(slug)/\(name)\(query)")
                        tags.append(try #require(answer[header: "ETag"]))
                    }
                }
            }
            #expect(Set(tags).count == tags.count)
            // What changes no byte changes no tag.
            let same = try await fixture.visit("/\(slugs[0])/qr.png?size=512&utm_source=poster&dark=000")
            #expect(same[header: "ETag"] == tags[0])
        }
    }

    @Test func aLinkThatEndedIsNotAnsweredFromACache() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let tag = try #require(try await fixture.visit("/\(slug)/qr.png")[header: "ETag"])
            let patch = try await fixture.call("PATCH", "/api/v1/links/go.example.com/\(slug)", #"{"disabled": true}"#)
            #expect(patch.status == 200)
            #expect(try await fixture.visit("/\(slug)/qr.png", headers: [("If-None-Match", tag)]).status == 410)
        }
    }

    @Test func drawsItAsLargeAsItIsAskedTo() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let expected = try #require(QRCode(text: "https://go.example.com/\(slug)"))
            for (size, margin) in [(64, 0), (64, 16), (2048, 16), (2048, 0), (300, 1)] {
                let query = "?size=\(size)&utm_source=poster&margin=\(margin)"
                let png = try await fixture.visit("/\(slug)/qr.png\(query)")
                #expect(png.body == expected.png(size: size, margin: margin))
                let svg = try await fixture.visit("/\(slug)/qr.svg\(query)")
                #expect(svg.body == expected.svg(size: size, margin: margin))
            }
        }
    }

    @Test(arguments: [
        ("size=63", ["size"]), ("size=2049", ["size"]), ("margin=17", ["margin"]), ("margin=-1", ["margin"]),
        ("size=", ["size"]), ("size", ["size"]), ("size=%2B512", ["size"]), ("size=512.0", ["size"]),
        ("size=0x100", ["size"]), ("size=512&size=512", ["size"]), ("size=99999999999999999999", ["size"]),
        ("size=%D9%A1%D9%A2%D9%A3", ["size"]), ("margin=x&size=1", ["margin", "size"]),
        ("level=m", ["level"]), ("level=", ["level"]), ("level=L&level=H", ["level"]), ("level=high", ["level"]),
        ("dark=red", ["dark"]), ("dark=", ["dark"]), ("dark=12345", ["dark"]), ("dark=%2B12345", ["dark"]),
        ("light=12345678", ["light"]), ("light=%22onload", ["light"]), ("dark=ffd400", ["dark"]),
        ("light=333", ["light"]),
        ("dark=fff&light=000", ["dark"]), ("dark=000&dark=111", ["dark"]), ("light=x&level=x", ["level", "light"]),
    ])
    func refusesWhatNobodyCouldDrawOrRead(query: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            for name in ["qr.png", "qr.svg"] {
                let answer = try await fixture.visit("/\(slug)/\(name)?\(query)")
                #expect(answer.status == 422)
                #expect(answer.problem == "invalid-fields")
                #expect(answer.fields == fields)
            }
        }
    }

    @Test func drawsItInTheColoursAndWithTheCorrectionThatAreAskedFor() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let expected = try #require(QRCode(text: "https://go.example.com/\(slug)", errorCorrection: .high))
            let palette = try #require(
                QRCodePalette(
                    dark: QRCodeColor(red: 0x11, green: 0x22, blue: 0x33),
                    light: QRCodeColor(red: 0xFF, green: 0xF4, blue: 0xE0)))
            for query in ["level=H&dark=123&light=fff4e0", "light=%23FFF4E0&dark=%23112233&level=H"] {
                let png = try await fixture.visit("/\(slug)/qr.png?\(query)")
                #expect(png.body == expected.png(palette: palette))
                let svg = try await fixture.visit("/\(slug)/qr.svg?\(query)")
                #expect(svg.body == expected.svg(palette: palette))
            }
        }
    }

    @Test func refusesPicturesWithoutAPixelForEachModule() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture, ", \"slug\": \"\(String(repeating: "a", count: 128))\"")
            let answer = try await fixture.visit("/\(slug)/qr.png?size=64&margin=16")
            #expect(answer.status == 422)
            #expect(answer.fields == ["size"])
            #expect(try await fixture.visit("/\(slug)/qr.png?size=128&margin=16").status == 200)
            #expect(try await fixture.visit("/\(slug)/qr.svg?size=64&margin=16").status == 200)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func drawsOnlyLinksThatCanBeFollowed(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            let states = [
                (#", "app": "news", "disabled": true"#, 410, "link-disabled"),
                (#", "app": "news", "expiresAt": "2026-11-21T09:00:00Z""#, 410, "link-expired"),
                (#", "app": "news", "validFrom": "2026-11-21T11:00:00Z""#, 404, "link-scheduled"),
            ]
            for (members, status, type) in states {
                let slug = try await Self.fixtureLink(fixture, members)
                for name in ["qr.png", "qr.svg"] {
                    let page = try await fixture.visit("/\(slug)/\(name)", host: "news.example.com")
                    #expect(page.status == status)
                    #expect(page[header: "Content-Type"] == "text/html; charset=utf-8")
                    #expect(page[header: "Cache-Control"] == "private, no-store")
                    let problem = try await fixture.visit(
                        "/\(slug)/\(name)", host: "news.example.com", headers: [("Accept", "application/json")])
                    #expect(problem.problem == type)
                }
            }
            for target in ["/nothing/qr.png", "/nothing/qr.svg", "/.x/qr.png"] {
                #expect(try await fixture.visit(target, host: "news.example.com").status == 404)
            }
            let slug = try await Self.fixtureLink(fixture, #", "app": "shop""#)
            #expect(try await fixture.visit("/\(slug)/qr.png", host: "other.example").status == 404)
            #expect(try await fixture.visit("/\(slug)/qr.png", host: "news.example.com").status == 404)
            #expect(try await fixture.visit("/\(slug)/qr.gif").status == 404)
        }
    }

    @Test func standsOnThePageThatShowsTheLink() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let page = try await fixture.visit("/\(slug)+")
            #expect(page.text.contains("<img class=\"code\" src=\"/\(slug)/qr.svg\" alt=\"QR code of this link\""))
            #expect(page[header: "Content-Security-Policy"]?.contains("img-src 'self'") == true)
        }
    }

    @Test func `a QR code is not a click`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let slug = try await Self.fixtureLink(fixture, #", "maxClicks": 1"#)
            for _ in 0..<3 { #expect(try await fixture.visit("/\(slug)/qr.png").status == 200) }
            #expect(try await fixture.visit("/\(slug)").status == 302)
            #expect(try await fixture.visit("/\(slug)").status == 410)
            #expect(try await fixture.visit("/\(slug)/qr.png").status == 410)
            try await fixture.service.clicks.flush()
            #expect(try await fixture.call("GET", "/api/v1/links/\(slug)").json["clicks"]?.integer == 1)
        }
    }

    @Test func drawsTheLinksOwnAddressAtTheOpenHost() async throws {
        let shop = SiteFixture.shop.replacing(
            "\"baseURL\": \"https://go.example.com\",",
            with: "\"baseURL\": \"https://go.example.com\", \"openHost\": \"open.example.com\",")
        try await SiteFixture.run(.inProcess, applications: [shop]) { fixture in
            let slug = try await Self.fixtureLink(fixture)
            let answer = try await fixture.visit("/\(slug)/qr.svg", host: "open.example.com")
            #expect(answer.text.contains("<title>https://go.example.com/\(slug)</title>"))
        }
    }
}

/// The same addresses in a build without QR codes.
@Suite(.enabled(if: !QRCode.isAvailable)) struct QRCodeAbsenceTests {
    @Test func saysThatThereAreNone() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.visit("/x/qr.png")
            #expect(answer.status == 404)
            #expect(answer.problem == "resource-unknown")
        }
    }
}
