import Testing
import WaymarkHTTP

@Suite struct AcceptHeaderTests {
    private func head(_ lines: [String]) -> (RequestHead, [UInt8]) {
        let bytes = Array((["GET / HTTP/1.1", "Host: a"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        return (head, bytes)
    }

    @Test(arguments: [
        ([], 1_000), (["Accept: */*"], 1_000), (["Accept: application/json"], 1_000), (["Accept: text/html"], 0),
        (["Accept: application/*;q=0.5"], 500), (["Accept: application/*, application/json;q=0.2"], 200),
        (["Accept: application/json;q=0"], 0), (["Accept: */*, application/json;q=0"], 0),
        (["Accept: APPLICATION/JSON; Q=0.25"], 250), (["Accept: application/json;q=1.000"], 1_000),
        (["Accept: application/json;q=1.001"], 0), (["Accept: application/json;q=2"], 0),
        (["Accept: application/json;q=.5"], 0), (["Accept: application/json;q=0.5555"], 0),
        (["Accept: application/json;q="], 0), (["Accept: application/json;q=-1"], 0), (["Accept:"], 0),
        (["Accept: text/html", "Accept: application/json;q=0.3"], 300),
        (["Accept: application/json;version=2"], 0), (["Accept: app*/*, application/jso*"], 0),
        (["Accept: \"application/json\""], 0), (["Accept: */*;q=0.1;ext=\"a;b,c\", text/html"], 0),
    ])
    func weighsAMediaType(_ lines: [String], _ quality: Int) {
        let (head, bytes) = head(lines)
        #expect(AcceptHeader.quality(of: "application/json", head, bytes.span) == quality)
    }

    @Test(arguments: [
        ([], false), (["Accept: */*"], false), (["Accept: application/json"], true),
        (["Accept: application/json, */*"], true), (["Accept: text/html,application/json"], false),
        (["Accept: text/html;q=0.9,application/json"], true), (["Accept: text/html"], false),
        (["Accept: application/json;q=0"], false), (["Accept: image/png"], false),
        (["Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"], false),
        (["Accept: application/*"], true), (["Accept: application/*, text/html"], false),
    ])
    func knowsWhoWouldRatherHaveJSON(_ lines: [String], _ prefers: Bool) {
        let (head, bytes) = head(lines)
        #expect(AcceptHeader.prefers("application/json", to: "text/html", head, bytes.span) == prefers)
    }

    @Test(arguments: [
        ([], false), (["Accept-Encoding:"], false), (["Accept-Encoding: gzip"], true),
        (["Accept-Encoding: br, GZIP;q=0.1"], true), (["Accept-Encoding: x-gzip"], true),
        (["Accept-Encoding: gzip;q=0"], false), (["Accept-Encoding: *"], true), (["Accept-Encoding: *;q=0"], false),
        (["Accept-Encoding: *, gzip;q=0"], false), (["Accept-Encoding: gzip;q=0.000"], false),
        (["Accept-Encoding: identity"], false), (["Accept-Encoding: gzipped"], false),
        (["Accept-Encoding: br", "Accept-Encoding: gzip"], true), (["Accept-Encoding: gzip;q=x"], false),
        (["Accept-Encoding: gzip;q=0.5, identity"], false), (["Accept-Encoding: gzip;q=0.5, identity;q=0.5"], true),
        (["Accept-Encoding: gzip;q=0.001, identity;q=0"], true), (["Accept-Encoding: identity;q=0"], false),
        (["Accept-Encoding: gzip;q=0.5, *"], true), (["Accept-Encoding: *;q=0, gzip;q=0.1"], true),
        (["Accept-Encoding: gzip;q=0.1234"], false), (["Accept-Encoding: gzip;q=1.5"], false),
        (["Accept-Encoding: ,, gzip ;Q=1.000 ,"], true), (["Accept-Encoding: deflate, br;q=1.0"], false),
        (["Accept-Encoding: gzip;q=0", "Accept-Encoding: x-gzip;q=1"], true),
    ])
    func knowsWhoTakesGzip(_ lines: [String], _ accepts: Bool) {
        let (head, bytes) = head(lines)
        #expect(CodingPreference(head, in: bytes.span).prefersGzip == accepts)
    }

    @Test(arguments: [
        ([], false), (["Accept-Encoding: identity;q=0"], true), (["Accept-Encoding: *;q=0"], true),
        (["Accept-Encoding: *;q=0, identity;q=0.1"], false), (["Accept-Encoding: gzip"], false),
        (["Accept-Encoding: *"], false), (["Accept-Encoding:"], false),
    ])
    func knowsWhoWantsNoPlainBytes(_ lines: [String], _ refuses: Bool) {
        let (head, bytes) = head(lines)
        #expect(CodingPreference(head, in: bytes.span).refusesIdentity == refuses)
    }

    // MARK: Entity tags

    @Test(arguments: [
        ("If-None-Match", "\"7\"", true), ("If-None-Match", "W/\"7\"", true), ("If-None-Match", "\"8\"", false),
        ("If-None-Match", "\"6\", \"7\"", true), ("If-None-Match", "*", true), ("If-None-Match", "7", false),
        ("If-None-Match", "\"77\"", false), ("If-None-Match", "\"a,\\\"\", \"7\"", true),
        ("If-None-Match", "\"a\\\", \"7\"", true), ("If-None-Match", "\"6\" \"7\"", false),
        ("If-None-Match", "\"7\"x", false), ("If-None-Match", "\"6\",,\t\"7\" ,", true),
        ("If-None-Match", "w/\"7\"", false), ("If-None-Match", "W/ \"7\"", false),
        ("If-None-Match", "W/\"6\", W/\"7\"", true), ("If-None-Match", "**", false),
        ("If-None-Match", "\"6,7\"", false), ("If-None-Match", "\"7", false),
        ("If-Match", "\"7\"", true), ("If-Match", "W/\"7\"", false), ("If-Match", "*", true),
        ("If-Match", "\"8\", \"7\"", true), ("If-Match", "", false), ("If-Match", "\"", false),
        ("If-Match", "W/", false),
        ("If-Range", "\"7\"", true), ("If-Range", "W/\"7\"", false),
    ])
    func comparesEntityTags(_ name: String, _ value: String, _ isNamed: Bool) throws {
        let tag = try #require(EntityTag("7"))
        let (head, bytes) = head(["\(name): \(value)"])
        let field: RequestField =
            switch name {
            case "If-Match": .ifMatch
            case "If-Range": .ifRange
            default: .ifNoneMatch
            }
        #expect(tag.isNamed(by: field, head, bytes.span) == isNamed)
    }

    @Test func comparesWeakTagsStronglyWithNothing() throws {
        let weak = try #require(EntityTag("7", isWeak: true))
        #expect(weak.text == "W/\"7\"")
        let (head, bytes) = head(["If-Match: \"7\", W/\"7\"", "If-None-Match: \"8\"", "If-None-Match: \"7\""])
        #expect(weak.isNamed(by: .ifMatch, head, bytes.span) == false)
        #expect(weak.isNamed(by: .ifNoneMatch, head, bytes.span) == true)
        #expect(EntityTag("a\"b") == nil)
        #expect(EntityTag("a b") == nil)
    }
}

@Suite struct ListElementsTests {
    @Test(arguments: [
        ("", []), ("a", ["a"]), (" a , b ", ["a", "b"]), (",,a,,", ["a"]), ("\"a,b\", c", ["\"a,b\"", "c"]),
        ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"a, b", ["\"a, b"]), ("\"a\\", ["\"a\\"]), ("\t,\t", []),
    ])
    func walksOverTheElements(_ value: String, _ expected: [String]) {
        let bytes = Array(value.utf8)
        var elements = ListElements(whole(bytes))
        var found: [String] = []
        while let element = elements.next(in: bytes.span) { found.append(text(element, in: bytes) ?? "") }
        #expect(found == expected)
    }
}
