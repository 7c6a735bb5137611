import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct ApplicationRequestTests {
    @Test func takesAnApplicationWithEverything() throws {
        let application = try Samples.application {
            $0.openHost = "open.example.com"
            $0.schemes = ["partner"]
            $0.redirectStatus = 307
            $0.corsOrigins = ["https://shop.example.com", "http://localhost:3000"]
            $0.onExpired = "https://shop.example.com/late"
        }
        #expect(application.templates.map(\.name) == ["product"])
        #expect(application.templates.first?.urls[.ios]?.fallback == .store)
        #expect(application.redirectStatus == 307)
        #expect(application.forwardQuery)
        #expect(application.allowedSchemes == Set(["shop", "partner"].compactMap { URLScheme($0) }))
    }

    static func template(_ urls: [String: URLEntryRequest]) -> ApplicationRequest.Template {
        ApplicationRequest.Template(name: "t", route: "t/:id", urls: urls)
    }

    /// A change that spoils a good draft, and the fields that are named for it.
    static let spoiled: [(change: @Sendable (inout ApplicationRequest) -> Void, fields: [String])] = [
        ({ $0.id = nil }, ["id"]),
        ({ $0.id = "a b" }, ["id"]),
        ({ $0.name = "a\n" }, ["name"]),
        (
            {
                $0.domains = ["a.example", "b c", "A.example"]; $0.baseURL = nil
            }, ["domains[1]", "domains[2]"]
        ),
        (
            {
                $0.domains = ["a.example:80"]; $0.baseURL = nil
            }, ["domains[0]"]
        ),
        ({ $0.baseURL = "https://go.example.com/x" }, ["baseURL"]),
        ({ $0.baseURL = "go.example.com" }, ["baseURL"]),
        ({ $0.webBaseURL = "https://a.example/?x=1" }, ["web.baseURL"]),
        (
            {
                $0.ios?.urlScheme = "https"; $0.templates = []
            }, ["ios.urlScheme"]
        ),
        ({ $0.ios?.appStoreID = "id123" }, ["ios.appStoreID"]),
        ({ $0.android?.package = "shop" }, ["android.package"]),
        ({ $0.android?.package = "com.1shop" }, ["android.package"]),
        ({ $0.android?.urlScheme = "javascript" }, ["android.urlScheme"]),
        ({ $0.redirectStatus = 303 }, ["redirectStatus"]),
        ({ $0.onExpired = "shop://a" }, ["onExpired"]),
        ({ $0.onUnknown = "/a" }, ["onUnknown"]),
        ({ $0.openHost = "go.example.com" }, ["openHost"]),
        ({ $0.openHost = "https://open.example.com" }, ["openHost"]),
        ({ $0.schemes = ["ok", "data"] }, ["schemes[1]"]),
        (
            { $0.corsOrigins = ["*", "https://a.example/", "https://A.example"] },
            ["cors.origins[0]", "cors.origins[1]", "cors.origins[2]"]
        ),
        ({ $0.templates.append($0.templates[0]) }, ["templates[1].name", "templates[1].route"]),
        (
            { $0.templates = [template(["ios": URLEntryRequest("other://a", fallback: "store")])] },
            ["templates[0].urls.ios.link"]
        ),
        (
            { $0.templates = [template(["web": URLEntryRequest("https://a.example/:other")])] },
            ["templates[0].urls.web"]
        ),
        (
            { $0.templates = [template(["web": URLEntryRequest("https://a.example/x-:id")])] },
            ["templates[0].urls.web"]
        ),
        (
            { $0.templates = [template(["universal": URLEntryRequest("https://a.example")])] },
            ["templates[0].urls.universal"]
        ),
        (
            { $0.templates = [ApplicationRequest.Template(name: "", route: "a?b", urls: [:])] },
            ["templates[0].name", "templates[0].route"]
        ),
    ]

    @Test(arguments: spoiled.indices)
    func namesTheFieldThatIsWrong(_ index: Int) throws {
        let (change, fields) = ApplicationRequestTests.spoiled[index]
        var draft = ApplicationRequest()
        do {
            _ = try Samples.application {
                change(&$0)
                draft = $0
            }
        } catch is Samples.Refused {}
        #expect(draft.validate().fields == fields)
    }
}
