import Testing
import WaymarkJSON
import WaymarkSite

/// `GET /api/v1/links/{domain}/{slug}/qr.png` and `qr.svg`.
@Suite(.enabled(if: QRCode.isAvailable)) struct LinkQRCodeTests {
    private static let states = [
        "", #", "disabled": true"#, #", "expiresAt": "2026-11-21T09:00:00Z""#,
        #", "validFrom": "2026-11-21T11:00:00Z""#,
    ]

    @Test(arguments: states, TransportKind.allCases)
    func drawsALinkInAnyState(members: String, transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            _ = try await fixture.create(#"{"slug": "a/b", "urls": {"web": "https://a.example/"}\#(members)}"#)
            let expected = try #require(QRCode(text: "https://go.example.com/a/b"))
            let reader = try await fixture.key(["read"])
            let path = "/api/v1/links/go.example.com/a%2Fb/"
            let png = try await fixture.call("GET", path + "qr.png", key: reader)
            #expect(png.status == 200)
            #expect(png[header: "Content-Type"] == "image/png")
            #expect(png[header: "Cache-Control"] == "no-store")
            #expect(png.body == expected.png())
            let svg = try await fixture.call("GET", path + "qr.svg?size=300&margin=1", key: reader)
            #expect(svg.status == 200)
            #expect(svg[header: "Content-Type"] == "image/svg+xml")
            #expect(svg[header: "Content-Security-Policy"] != nil)
            #expect(svg.body == expected.svg(size: 300, margin: 1))
        }
    }

    @Test(arguments: [
        ("size=63", ["size"]), ("level=high&dark=red", ["dark", "level"]), ("colour=123", ["colour"]),
    ])
    func namesInvalidParameters(query: String, fields: [String]) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for name in ["qr.png", "qr.svg"] {
                let answer = try await fixture.call("GET", "/api/v1/links/go.example.com/a/\(name)?\(query)")
                #expect(answer.status == 422)
                #expect(answer.fields == fields)
            }
        }
    }

    @Test func needsAKeyThatMayReadTheLink() async throws {
        try await SiteFixture.run(.inProcess, applications: [SiteFixture.shop, SiteFixture.news]) { fixture in
            _ = try await fixture.create(#"{"app": "shop", "slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let path = "/api/v1/links/go.example.com/a/qr.svg"
            let foreign = try await fixture.key(["read"], app: "news")
            #expect(try await fixture.call("GET", path, key: foreign).status == 404)
            let app = try await fixture.key(["resolve"])
            #expect(try await fixture.call("GET", path, key: app).status == 403)
            #expect(try await fixture.call("GET", path, key: nil).status == 401)
            #expect(try await fixture.call("GET", "/api/v1/links/go.example.com/b/qr.svg").status == 404)
        }
    }

    @Test func saysThatADomainIsMissing() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            let answer = try await fixture.call("GET", "/api/v1/links/a/qr.svg")
            #expect(answer.status == 404)
            #expect(answer.text.contains("name the link by domain and slug"))
        }
    }
}
