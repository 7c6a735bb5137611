import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct SmartlinkHostsTests {
    private static func smartlinkHosts() throws -> SmartlinkHosts {
        let shop = try Samples.application { $0.openHost = "open.example.com" }
        let other = try Samples.application {
            $0.id = "other"
            $0.domains = ["links.example", "127.0.0.1"]
            $0.baseURL = "http://links.example:8080"
        }
        return SmartlinkHosts([shop, other])
    }

    /// Spellings of a smart link, all of which browsers follow to one.
    static let leadingBack = [
        "https://go.example.com/Ab3dE9x", "http://go.example.com/x", "https://go.example.com:8443/x",
        "https://GO.Example.COM/x", "https://go.example.com./x", "https://go.example.com.:443/x",
        "https://go.example.com/x?y=z#f", "https://go.example.com/%41b", "https://go.example.com/%78",
        "https://go.example.com/x+", "https://go.example.com/x%2B", "https://go.example.com/./x",
        "https://go.example.com/a/../x", "https://go.example.com/%2e/x", "https://go.example.com/a/%2E%2e/x",
        "https://go.example.com/../../x", "https://open.example.com/x", "https://links.example/x",
        "https://links.example:8080/x", "http://127.0.0.1:8080/x", "http://[::ffff:127.0.0.1]:8080/x",
        "https://go.example.com/x/", "https://go.example.com/x.", "https://go.example.com/x//",
    ]

    /// Addresses at which no smart link can stand.
    static let leadingElsewhere = [
        "https://go.example.com", "https://go.example.com/", "https://go.example.com/_/",
        "https://go.example.com/_/late",
        "https://go.example.com/robots.txt", "https://go.example.com/healthz", "https://go.example.com/x/qr.png",
        "https://go.example.com//x", "https://go.example.com/a/b",
        "https://go.example.com/.x", "https://go.example.com/x%2Fy", "https://go.example.com/x;y",
        "https://go.example.com/?x", "https://go.example.com/%25%32",
        "https://example.com/x", "https://a.go.example.com/x", "https://shop.example.com/x", "http://127.0.0.1:9000/x",
        "http://127.0.0.1/x", "http://localhost:8080/x",
    ]

    @Test(arguments: leadingBack)
    func tellsASmartLink(url: String) throws {
        #expect(try Self.smartlinkHosts().leadsBack(try #require(WebURL(url))))
        let draft = Samples.draft(urls: ["web": URLEntryRequest(url)])
        let problems = draft.validate(for: try Samples.application(), notInto: try Self.smartlinkHosts()).problems
        #expect(problems.map(\.field) == ["urls.web"])
        #expect(problems.first?.problem == "leads back to a smart link of this service")
        #expect(draft.validate(for: try Samples.application()).problems.isEmpty)
    }

    @Test(arguments: leadingElsewhere)
    func leavesOtherAddressesAlone(url: String) throws {
        #expect(!(try Self.smartlinkHosts().leadsBack(try #require(WebURL(url)))))
        let draft = Samples.draft(urls: ["web": URLEntryRequest(url)])
        #expect(draft.validate(for: try Samples.application(), notInto: try Self.smartlinkHosts()).problems.isEmpty)
    }

    @Test(arguments: [
        ("https://go.example.com/:id", "x", true), ("https://go.example.com/:id", "x y", false),
        ("https://go.example.com/:id", "api", false), ("https://go.example.com/_/:id", "x", false),
        ("https://go.example.com/x?id=:id", "y", true), ("https://ok.example/:id", "x", false),
    ])
    func looksAtWhatAVariableStandsFor(url: String, value: String, leadsBack: Bool) throws {
        var draft = Samples.draft(urls: ["web": URLEntryRequest(url)])
        draft.routeParameters = ["id": value]
        let fields = draft.validate(for: try Samples.application(), notInto: try Self.smartlinkHosts()).fields
        #expect(fields == (leadsBack ? ["urls.web"] : []))
    }

    /// An application is asked before its links have values.
    @Test func takesAVariableOfATemplateForASlug() throws {
        let application = try Samples.application {
            $0.onExpired = "https://go.example.com/late"
            $0.onUnknown = "https://go.example.com/_/unknown"
            $0.templates = [
                ApplicationRequest.Template(
                    name: "t", route: "t/:id",
                    urls: [
                        "web": URLEntryRequest("https://go.example.com/:id"),
                        "ios": URLEntryRequest(
                            "https://go.example.com/t/:id", fallback: "https://go.example.com/a"),
                    ])
            ]
        }
        let check = DestinationCheck(smartlinkHosts: SmartlinkHosts([application]))
        #expect(
            application.destinationProblems(check).map(\.field) == [
                "templates[0].urls.ios.fallback", "templates[0].urls.web", "onExpired",
            ])
    }

    /// Later, another application may have got the host.
    @Test func namesTheRouteOfATemplateThatLeadsBack() throws {
        let smartlinkHosts = SmartlinkHosts(hosts: try #require(HostName("shop.example.com")).asSet)
        let application = try Samples.application {
            $0.templates[0].urls["web"] = URLEntryRequest("https://shop.example.com/:product_id")
        }
        #expect(Samples.productDraft().validate(for: application, notInto: smartlinkHosts).fields == ["route"])
        let about = Samples.draft(urls: [:])
        var routed = about
        routed.route = "about"
        routed.urls = ["ios": URLEntryRequest("shop://about")]
        #expect(routed.validate(for: application, notInto: smartlinkHosts).fields == ["urls.web"])
        routed.route = "about/us"
        #expect(routed.validate(for: application, notInto: smartlinkHosts).fields == [])
    }

    @Test func countsThePortOnAMachine() throws {
        let application = try Samples.application {
            $0.domains = []
            $0.baseURL = nil
        }
        let smartlinkHosts = SmartlinkHosts([application], defaultBaseURL: WebURL("http://localhost:8080"))
        for (url, leadsBack) in [
            ("http://localhost:8080/x", true), ("http://127.0.0.1:8080/x", true), ("http://[::1]:8080/x", true),
            ("http://localhost:9000/x", false), ("http://localhost/x", false), ("http://192.0.2.1:8080/x", false),
        ] {
            #expect(smartlinkHosts.leadsBack(try #require(WebURL(url))) == leadsBack, "\(url)")
        }
        let portless = SmartlinkHosts([application])
        #expect(portless.leadsBack(try #require(WebURL("http://localhost/x"))))
        #expect(!portless.leadsBack(try #require(WebURL("http://localhost:8080/x"))))
    }
}

extension HostName {
    fileprivate var asSet: Set<HostName> { [self] }
}
