import Testing

@testable import WaymarkSite

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", true), ("application/json;charset=utf-8", true), ("APPLICATION/JSON ", true),
        ("application/merge-patch+json", false), ("application/jsonx", false), ("text/plain", false), ("", false),
    ])
    func knowsJSON(value: String, isJSON: Bool) {
        #expect(MediaType.isJSON(value, allowingMergePatch: false) == isJSON)
    }

    @Test(arguments: [
        (nil, false), ("*/*", false), ("text/html,application/xhtml+xml,*/*;q=0.8", false), ("application/json", true),
        ("application/problem+json", true), ("application/json, text/plain, */*", true),
        ("text/html, application/json", false), ("APPLICATION/JSON", true), ("application/json, TEXT/HTML", false),
        ("json", true), ("jso", false), ("", false), ("text/htm, jjson", true),
    ])
    func tellsProgramsFromPeople(value: String?, prefersJSON: Bool) {
        #expect(MediaType.prefersJSON(value) == prefersJSON)
    }
}
