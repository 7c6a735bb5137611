import Testing

@testable import WaymarkAssociation

/// What an association file does with one link, in one sentence.
@Suite struct LinkOpeningTests {
    private static let apple = """
        {"applinks": {"details": [
          {"appIDs": ["ABCDE12345.com.example.shop"],
           "components": [{"/": "/_/*", "exclude": true}, {"/": "/x/*", "comment": "all of x"}]},
          {"appID": "ABCDE12345.com.example.old", "paths": ["NOT /e/*", "/old/*"]}]}}
        """
    private static let android = """
        [{"relation": ["delegate_permission/common.handle_all_urls"],
          "target": {"namespace": "android_app", "package_name": "com.example.shop",
                     "sha256_cert_fingerprints": ["\(fingerprint("AB"))"]},
          "relation_extensions": {"delegate_permission/common.handle_all_urls": {
            "dynamic_app_link_components": [{"/": "/_/*", "exclude": true}, {"/": "/x/*"}]}}}]
        """
    private static let withoutRules = """
        [{"relation": ["delegate_permission/common.handle_all_urls"],
          "target": {"namespace": "android_app", "package_name": "com.example.shop",
                     "sha256_cert_fingerprints": ["\(fingerprint("AB"))"]}}]
        """

    @Test(
        arguments: [
            (
                AssociationKind.apple, apple, "https://a.example/x/1", true, #"{"/":"/x/*","comment":"all of x"}"#,
                #"opens ABCDE12345.com.example.shop: path "/x/1" fits "/x/*""#
            ),
            (
                .apple, apple, "https://a.example/_/links", false, #"{"/":"/_/*","exclude":true}"#,
                #"path "/_/links" fits "/_/*"; it excludes"#
            ),
            (
                .apple, apple, "https://a.example/old/1", true, "/old/*",
                #"opens ABCDE12345.com.example.old: path "/old/1" fits "/old/*""#
            ),
            (.apple, apple, "https://a.example/Ab3dE9x", false, nil, "no rule fits"),
            (
                .apple, apple, "https://a.example:8443/x/1", false, nil,
                "Not documented: Whether a URL with a port can open an app: not here, "
                    + "because domain entries hold no port"
            ),
            (
                .assetLinks, android, "https://a.example/x/1", true, #"{"/":"/x/*"}"#,
                #"opens com.example.shop: path "/x/1" fits "/x/*""#
            ),
            (
                .assetLinks, android, "https://a.example/_/links", false, #"{"/":"/_/*","exclude":true}"#,
                #"path "/_/links" fits "/_/*"; it excludes"#
            ),
            (.assetLinks, android, "https://a.example/Ab3dE9x", false, nil, "no rule fits"),
            (
                .assetLinks, withoutRules, "https://a.example/Ab3dE9x", true, nil,
                "opens com.example.shop: there are no dynamic rules, so the app's manifest decides"
            ),
            (.assetLinks, apple, "https://a.example/x", nil, nil, "the file is an object, which is Apple's"),
            (.apple, "{", "https://a.example/x", nil, nil, "not JSON"),
            (.apple, apple, "x", nil, nil, "must be an absolute URL"),
        ] as [(AssociationKind, String, String, Bool?, String?, String)])
    func namesTheRuleThatDecides(
        kind: AssociationKind, file: String, url: String, opens: Bool?, rule: String?, why: String
    ) {
        let opening = LinkOpening(of: url, by: Array(file.utf8), kind)
        #expect(opening.opens == opens)
        #expect(opening.rule == rule)
        #expect(opening.why.contains(why), "\(opening.why)")
    }

    @Test func `a link is undecided if the budget runs out`() {
        let opening = LinkOpening(
            of: "https://a.example/x/1", by: Array(Self.apple.utf8), .apple, budget: WorkBudget(1))
        #expect(opening.opens == nil)
    }

    // MARK: Links held against a file

    private static func findings(_ kind: AssociationKind, _ file: String, sample: String?, _ links: [String])
        -> [String]
    {
        AssociationLint.findings(of: Array(file.utf8), kind, sample: sample, links: links).map(\.problem)
    }

    @Test func findsLinksThatStayInTheBrowser() {
        let links = ["https://a.example/y/1", "https://a.example/x/1", "https://a.example/_/x"]
        for (kind, file) in [(AssociationKind.apple, Self.apple), (.assetLinks, Self.android)] {
            #expect(
                Self.findings(kind, file, sample: "https://a.example/Ab3dE9x", links) == [
                    "new links, such as https://a.example/Ab3dE9x, stay in the browser: no rule fits",
                    "2 of the newest 3 links stay in the browser, such as https://a.example/y/1: no rule fits",
                ])
            #expect(
                Self.findings(kind, file, sample: nil, ["https://a.example/_/x"]) == [
                    #"the only link, https://a.example/_/x, stays in the browser: path "/_/x" fits "/_/*"; it excludes"#
                ])
            #expect(Self.findings(kind, file, sample: "https://a.example/x/2", ["https://a.example/x/1"]).isEmpty)
        }
    }

    @Test(arguments: [
        (AssociationKind.apple, #"{"webcredentials": {"apps": ["A1.b"]}}"#), (.apple, "{"), (.apple, "[]"),
        (.assetLinks, "[]"), (.assetLinks, #"[{"relation": ["delegate_permission/common.get_login_creds"]}]"#),
    ])
    func holdsNoLinksAgainstAFileWithoutApps(kind: AssociationKind, file: String) {
        #expect(Self.findings(kind, file, sample: "https://a.example/x", []).isEmpty)
    }

    @Test func checksABoundedNumberOfLinks() {
        let links = (0..<10_000).map { "https://a.example/y/\($0)" }
        let problems = Self.findings(.apple, Self.apple, sample: nil, links)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("20 of the newest 20 links stay") == true)
    }
}
