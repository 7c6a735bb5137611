import Testing
import WaymarkLinks
import WaymarkService

@Suite struct ApplicationDirectoryTests {
    private func directory(_ applications: Application...) -> ApplicationDirectory {
        ApplicationDirectory(
            applications.map { ServedApplication($0, document: [], version: 1, isReadOnly: false) })
    }

    @Test func aNamedDomainLeadsToItsApplicationAlone() throws {
        let directory = directory(
            try application("shop", domains: ["go.example.com", "b.example.com"]), try application("any"))
        let candidates = try #require(directory.lookup(at: try host("b.example.com")))
        #expect(candidates.candidates.map(\.domain.text) == ["b.example.com"])
        #expect(candidates.applications.map(\.text) == ["shop"])
    }

    @Test func `an unnamed host leads to applications without domains`() throws {
        let directory = directory(
            try application("zoo", baseURL: "https://zoo.example.com"), try application("demo"),
            try application("shop", domains: ["go.example.com"]), try application("also"))
        let candidates = try #require(directory.lookup(at: try host("127.0.0.1")))
        #expect(candidates.applications.map(\.text) == ["also", "demo", "zoo"])
        #expect(candidates.candidates.map(\.domain.text) == ["localhost", "zoo.example.com"])
        #expect(candidates.candidates.first?.applications.map(\.text) == ["also", "demo"])
    }

    @Test func aHostThatNobodyNamesIsUnknownWhereEveryApplicationHasDomains() throws {
        let directory = directory(try application("shop", domains: ["go.example.com"]))
        #expect(directory.lookup(at: try host("other.example.com")) == nil)
        #expect(directory.applications(at: try host("other.example.com")).isEmpty)
    }

    @Test func anOpenHostLooksAtAllDomainsOfItsApplication() throws {
        let directory = directory(
            try application("shop", domains: ["b.example.com", "a.example.com"], openHost: "open.example.com"))
        let candidates = try #require(directory.lookup(at: try host("open.example.com")))
        #expect(candidates.candidates.map(\.domain.text) == ["b.example.com", "a.example.com"])
        #expect(candidates.candidates.allSatisfy { $0.isOpenHost })
    }

    @Test func anOpenHostThatIsSomebodysDomainIsThatDomain() throws {
        let directory = directory(
            try application("shop", domains: ["a.example.com"], openHost: "b.example.com"),
            try application("other", domains: ["b.example.com"]))
        let candidates = try #require(directory.lookup(at: try host("b.example.com")))
        #expect(candidates.applications.map(\.text) == ["other"])
        #expect(candidates.candidates.map(\.isOpenHost) == [false])
    }

    @Test func theOnlyApplicationIsTheOneForLinksThatNameNone() throws {
        #expect(directory().only == nil)
        #expect(directory(try application("a")).only?.id.text == "a")
        #expect(directory(try application("a"), try application("b")).only == nil)
    }

    @Test(
        arguments: [
            (["a.example.com", "b.example.com"], "https://b.example.com", nil, "a.example.com"),
            (["a.example.com"], nil, nil, "a.example.com"),
            ([], "https://c.example.com:8443", nil, "c.example.com"),
            ([], nil, nil, "localhost"),
            (["a.example.com", "b.example.com"], nil, "b.example.com", "b.example.com"),
            (["a.example.com"], nil, "c.example.com", nil),
            ([], nil, "go.example.com", nil),
        ] as [([String], String?, String?, String?)])
    func givesNewLinksADomainOfTheApplication(
        domains: [String], baseURL: String?, given: String?, expected: String?
    ) throws {
        let served = ServedApplication(
            try application("shop", domains: domains, baseURL: baseURL), document: [], version: 1, isReadOnly: false,
            defaultBaseURL: WebURL("http://192.0.2.1:8080"))
        #expect(served.domain(given: try given.map(host))?.text == expected)
    }

    @Test func `an application without address uses the configured URL`() throws {
        let served = ServedApplication(
            try application("demo"), document: [], version: 1, isReadOnly: false,
            defaultBaseURL: WebURL("http://192.0.2.1:8080"))
        let domain = try #require(served.domain(given: nil))
        #expect(served.application.address(on: domain) == "http://localhost:8080")
    }
}
