import Testing
import WaymarkAssociation
import WaymarkJSON

/// How Apple's systems hold components against URLs, point by point; the points that nobody has published answers to are
/// in `Ambiguity`.
@Suite struct AppleSemanticsTests {
    enum Verdict: Sendable { case opens, stays, excluded }

    struct Case: Sendable, CustomTestStringConvertible {
        /// The members of `applinks` behind `details`; components stand for a file with one entry.
        let components: String
        let url: String
        let verdict: Verdict
        var more = ""
        var testDescription: String { "\(components) \(more) \(url)" }
    }

    private static func opens(_ component: String, _ url: String) -> Case {
        Case(components: "[\(component)]", url: url, verdict: .opens)
    }

    private static func stays(_ component: String, _ url: String) -> Case {
        Case(components: "[\(component)]", url: url, verdict: .stays)
    }

    // MARK: Cases

    static let paths: [Case] = [
        // Slashes at the end do not count on either side, and /* fits the parent.
        opens(#"{"/": "/shoes/*"}"#, "/shoes"), opens(#"{"/": "/shoes/*"}"#, "/shoes/"),
        opens(#"{"/": "/shoes/*"}"#, "/shoes///"), stays(#"{"/": "/shoes/*"}"#, "/shoe"),
        stays(#"{"/": "/shoes/*"}"#, "/shoesandmore"), opens(#"{"/": "/shoes"}"#, "/shoes/"),
        opens(#"{"/": "/shoes//"}"#, "/shoes"), opens(#"{"/": "/*"}"#, ""), opens(#"{"/": "/*"}"#, "/"),
        opens(#"{"/": "/"}"#, ""), opens(#"{"/": "/"}"#, "//"), stays(#"{"/": "/"}"#, "/a"),
        // Only at the end.
        stays(#"{"/": "/a/*/c"}"#, "/a/c"), opens(#"{"/": "/a/*/c"}"#, "/a/b/b/c"),
        opens(#"{"/": "/a/*/c/*"}"#, "/a/b/c"), stays(#"{"/": "/a/?*"}"#, "/a/"), stays(#"{"/": "/a/*?"}"#, "/a/"),
        opens(#"{"/": "/a/*?"}"#, "/a/x"), stays(#"{"/": "/a/?"}"#, "/a/"), stays(#"{"/": "/a/??"}"#, "/a/x"),
        // * crosses slashes and backs off; ? takes one character, a slash too.
        opens(#"{"/": "*/checkout"}"#, "/a/b/checkout"), opens(#"{"/": "/*b/c"}"#, "/ab/b/c"),
        opens(#"{"/": "/*.html"}"#, "/a.b.html"), opens(#"{"/": "/a?b"}"#, "/a/b"), stays(#"{"/": "/a*b"}"#, "/abc"),
        opens(#"{"/": "/a**b"}"#, "/ab"), opens(#"{"/": "/*a*a*"}"#, "/aa"), stays(#"{"/": "/*a*a*"}"#, "/a"),
        // The slash in front may be missing, and several count as one.
        opens(#"{"/": "shoes/*"}"#, "/shoes/1"), opens(#"{"/": "///shoes"}"#, "/shoes"),
        stays(#"{"/": "shoes"}"#, "/my/shoes"), opens(#"{"/": "*shoes"}"#, "/my/shoes"),
        // Everything else is text.
        stays(#"{"/": "/a.c"}"#, "/abc"), stays(#"{"/": "/[ab]"}"#, "/a"),
        stays(#"{"/": "/a+"}"#, "/aa"), opens(#"{"/": "/a$b"}"#, "/a$b"), stays(#"{"/": "/Shoes"}"#, "/shoes"),
        // Neither query nor fragment belong to the path.
        opens(#"{"/": "/a"}"#, "/a?b#c"), opens(#"{"/": "/a"}"#, "/a#b?c"), stays(#"{"/": "/a?b=*"}"#, "/a?b=1"),
        stays(#"{"/": "/a#b"}"#, "/a#b"),
    ]

    static let queries: [Case] = [
        // As one text.
        opens(#"{"?": "a=1&b=*"}"#, "/?a=1&b="), stays(#"{"?": "a=1"}"#, "/?b=2&a=1"), stays(#"{"?": "a=1"}"#, "/"),
        opens(#"{"?": ""}"#, "/?"), stays(#"{"?": ""}"#, "/?a"), stays(#"{"?": "?*"}"#, "/?"),
        opens(#"{"?": "?*"}"#, "/?a"), opens(#"{"?": "*"}"#, "/"), opens(#"{"?": "*id=5*"}"#, "/?x&id=50"),
        opens(#"{"?": "a?b"}"#, "/?a?b"), stays(#"{"?": "A=1"}"#, "/?a=1"),
        // Item by item: in any order, beside others, each occurrence.
        opens(#"{"?": {"a": "1"}}"#, "/?z=9&a=1"), stays(#"{"?": {"a": "1"}}"#, "/?a=1&a=2"),
        stays(#"{"?": {"a": "1"}}"#, "/?a=2&a=1"), opens(#"{"?": {"a": "?"}}"#, "/?a=1&a=2"),
        stays(#"{"?": {"a": "?*"}}"#, "/?a=1&a"), stays(#"{"?": {"a": "?*"}}"#, "/?a=1&a="),
        opens(#"{"?": {"a": "*"}}"#, "/"), opens(#"{"?": {"a": ""}}"#, "/?a"), opens(#"{"?": {"a": ""}}"#, "/?b=1"),
        stays(#"{"?": {"a": "?*"}}"#, "/?a"), stays(#"{"?": {"a": "1", "b": "2"}}"#, "/?a=1"),
        opens(#"{"?": {"a": "1", "b": "*"}}"#, "/?a=1"), stays(#"{"?": {"a": "1"}}"#, "/?A=1"),
        opens(#"{"?": {"a": "1=2"}}"#, "/?a=1=2"), stays(#"{"?": {"a": "1"}}"#, "/?aa=1"),
        opens(#"{"?": {"a": "1+2"}}"#, "/?a=1+2"), stays(#"{"?": {"a": "1"}}"#, "/#?a=1"),
        opens(#"{"?": {}}"#, "/"),
        // One value that is no text, and the whole dictionary is gone.
        opens(#"{"?": {"a": "1", "b": true}}"#, "/?a=2"), opens(#"{"?": {"a": "1", "b": 2}}"#, "/"),
        opens(#"{"?": {"a": null}}"#, "/?a=1"), opens(#"{"?": {"a": {"b": "c"}}}"#, "/?x"),
        stays(#"{"/": "/x", "?": {"a": 1}}"#, "/y?a=1"),
    ]

    static let fragments: [Case] = [
        opens(##"{"#": ""}"##, "/"), opens(##"{"#": "*"}"##, "/"), stays(##"{"#": "?*"}"##, "/#"),
        opens(##"{"#": "/room/*"}"##, "/#/room/1"), stays(##"{"#": "/room/*"}"##, "/#/room"),
        opens(##"{"#": "a?b"}"##, "/#a?b"), stays(##"{"#": "top"}"##, "/?#Top"), opens(##"{"#": "a#b"}"##, "/#a#b"),
        stays(##"{"/": "/a", "?": "b", "#": "c"}"##, "/a?b"), opens(##"{"/": "/a", "?": "b", "#": "c"}"##, "/a?b#c"),
    ]

    static let switches: [Case] = [
        opens(#"{"/": "/Shoes", "caseSensitive": false}"#, "/sHOES"),
        opens(#"{"?": "Q=A", "caseSensitive": false}"#, "/?q=a"),
        opens(##"{"#": "Top", "caseSensitive": false}"##, "/#tOP"),
        stays(#"{"/": "/Shoes", "casesensitive": false}"#, "/shoes"),
        opens(#"{"/": "/$(upper)", "caseSensitive": false}"#, "/q"),
        // As written, or the URL decoded and the pattern left alone.
        opens(#"{"/": "/a%20b"}"#, "/a%20b"), stays(#"{"/": "/a%2fb"}"#, "/a%2Fb"), stays(#"{"/": "/?"}"#, "/%20"),
        opens(#"{"/": "/???"}"#, "/%20"), stays(#"{"/": "/a%20b", "percentEncoded": false}"#, "/a%20b"),
        opens(#"{"/": "/a b", "percentEncoded": false}"#, "/a%20b"),
        opens(#"{"/": "/a/b", "percentEncoded": false}"#, "/a%2Fb"),
        opens(#"{"/": "/a/b", "percentEncoded": false}"#, "/a%2fb"),
        opens(#"{"?": {"q": "x y"}, "percentEncoded": false}"#, "/?q=x%20y"),
        stays(#"{"?": {"q": "x%20y"}, "percentEncoded": false}"#, "/?q=x%20y"),
        opens(#"{"/": "/ü", "percentEncoded": false}"#, "/%C3%BC"), stays(#"{"/": "/ü"}"#, "/%C3%BC"),
        opens(##"{"#": "a b", "percentEncoded": false}"##, "/#a%20b"),
    ]

    private static let foods =
        #", "substitutionVariables": {"food": ["soup", "pizza*", "?ie"], "none": [], "Food": ["x"]}"#

    private static func with(_ component: String, _ url: String, _ verdict: Verdict) -> Case {
        Case(components: "[\(component)]", url: url, verdict: verdict, more: foods)
    }

    static let variables: [Case] = [
        with(#"{"/": "/$(food)"}"#, "/soup", .opens), with(#"{"/": "/$(food)"}"#, "/pizza-large", .opens),
        with(#"{"/": "/$(food)"}"#, "/pie", .opens), with(#"{"/": "/$(food)"}"#, "/Soup", .stays),
        with(#"{"/": "/$(Food)"}"#, "/soup", .stays), with(#"{"/": "/$(Food)"}"#, "/x", .opens),
        with(#"{"/": "/$(food)", "caseSensitive": false}"#, "/SOUP", .opens),
        with(#"{"/": "/$(food)/$(digit)$(digit)"}"#, "/soup/42", .opens),
        with(#"{"/": "/$(food)/$(digit)$(digit)"}"#, "/soup/4", .stays),
        with(#"{"?": {"dish": "$(food)"}}"#, "/?dish=soup", .opens),
        with(#"{"?": "dish=$(food)&n=$(digit)"}"#, "/?dish=pie&n=1", .opens),
        with(##"{"#": "$(food)"}"##, "/#soup", .opens), with(#"{"/": "/$(none)"}"#, "/", .stays),
        with(#"{"/": "/*$(food)"}"#, "/hot-soup", .opens), with(#"{"/": "/$(food)/*"}"#, "/soup", .opens),
        with(#"{"/": "/$(lang)-$(region)"}"#, "/de-CH", .opens), with(#"{"/": "/$(region)"}"#, "/UK", .stays),
        with(#"{"/": "/$(region)"}"#, "/gb", .stays), with(#"{"/": "/$(lang)"}"#, "/DE", .stays),
        with(#"{"/": "/$(lang)"}"#, "/haw", .opens), with(#"{"/": "/$(alpha)$(alnum)$(lower)"}"#, "/A0z", .opens),
        with(#"{"/": "/$(alpha)"}"#, "/1", .stays), with(#"{"/": "/$(lower)"}"#, "/A", .stays),
        with(#"{"/": "/$(xdigit)"}"#, "/G", .stays), with(#"{"/": "/$(alnum)"}"#, "/-", .stays),
    ]

    static let orders: [Case] = [
        Case(
            components: #"[{"/": "/a/*", "exclude": true}, {"/": "/*"}]"#, url: "/a", verdict: .excluded),
        Case(components: #"[{"/": "/*"}, {"/": "/a/*", "exclude": true}]"#, url: "/a/b", verdict: .opens),
        Case(
            components: #"[{"/": "/x"}, {"exclude": true}, {"/": "/a"}]"#, url: "/a", verdict: .excluded),
        Case(
            components: #"[{"/": "/a", "?": {"b": "1"}, "exclude": true}, {"/": "/a"}]"#, url: "/a?b=2", verdict: .opens
        ),
        Case(components: "[]", url: "/a", verdict: .stays),
    ]

    @Test(arguments: paths + queries + fragments + switches + variables + orders)
    func matches(_ given: Case) throws {
        let file =
            #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": \#(given.components)}]\#(given.more)}}"#
        let answer = try Self.answer(file, "https://example.com" + given.url)
        Self.check(answer, given.verdict)
        if given.verdict != .stays { #expect(answer.component == answer.trace.last?.component) }
    }

    /// Files as a whole: which entry is looked at, and what lies under a component.
    @Test(arguments: [
        (#"[{"appID": "ABCDE12345.com.example.app", "paths": ["NOT /a/*", "*"]}]"#, "/a/b", Verdict.excluded),
        (#"[{"appID": "ABCDE12345.com.example.app", "paths": ["NOT /a/*", "*"]}]"#, "/b?c#d", .opens),
        (#"[{"appID": "ABCDE12345.com.example.app", "paths": ["not /a/*", "/b"]}]"#, "/a/b", .stays),
        (#"[{"appID": "ABCDE12345.com.example.app", "paths": ["/20??/*"]}]"#, "/2026/a", .opens),
        (#"[{"appID": "ABCDE12345.com.example.app", "paths": ["*"], "components": [{"/": "/a"}]}]"#, "/b", .stays),
        (#"[{"appIDs": [], "appID": "ABCDE12345.com.example.app", "components": [{}]}]"#, "/", .stays),
        (#"[{"appID": "X.y", "appIDs": ["ABCDE12345.com.example.app"], "components": [{}]}]"#, "/", .opens),
        (
            #"[{"appIDs": ["X1.y"], "components": [{"exclude": true}]}, {"appIDs": ["ABCDE12345.com.example.app"], "components": [{}]}]"#,
            "/", .opens
        ),
        (
            #"[{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/a"}]}, {"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/b"}]}]"#,
            "/b", .opens
        ),
        (
            #"[{"appIDs": ["ABCDE12345.com.example.app"], "defaults": {"exclude": true}, "components": [{"/": "/a", "exclude": false}, {"/": "/b"}]}]"#,
            "/a", .opens
        ),
        (
            #"[{"appIDs": ["ABCDE12345.com.example.app"], "defaults": {"exclude": true}, "components": [{"/": "/a", "exclude": false}, {"/": "/b"}]}]"#,
            "/b", .excluded
        ),
        (
            #"[{"appIDs": ["ABCDE12345.com.example.app"], "defaults": {"percentEncoded": false}, "components": [{"/": "/a b"}]}]"#,
            "/a%20b", .opens
        ),
        (
            #"[{"appIDs": ["ABCDE12345.com.example.app"], "defaults": {"?": {"a": "1"}}, "components": [{"/": "/x"}]}]"#,
            "/x?a=2", .stays
        ),
    ])
    func readsEntries(details: String, url: String, verdict: Verdict) throws {
        let answer = try Self.answer(
            #"{"applinks": {"details": \#(details)}}"#, "https://EXAMPLE.com" + url, app: "ABCDE12345.com.example.app")
        Self.check(answer, verdict)
    }

    private static func answer(_ file: String, _ url: String, app: String? = nil) throws -> SimulationResult {
        switch AssociationSimulation.simulate(file: Array(file.utf8), url: url, app: app) {
        case .answer(let answer): return answer
        case .unusable(let reason):
            Issue.record("\(reason)")
            return SimulationResult()
        }
    }

    private static func check(_ answer: SimulationResult, _ verdict: Verdict) {
        #expect(answer.opens == (verdict == .opens), "\(answer.text)")
        #expect(answer.excluded == (verdict == .excluded), "\(answer.text)")
        #expect(answer.documented, "\(answer.text)")
        #expect((answer.appID != nil) == answer.opens)
        if verdict == .stays { #expect(answer.component == nil) }
    }
}
