extension HostileRequest {
    private static func link(
        _ name: String, _ count: Int, _ statuses: [Int] = [201, 201], _ rules: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        HostileRequest("rules-" + name, "/api/v1/links", count, statuses) { "{\(web),\(rules($0))}" }
    }

    /// Of a link, whose rules are compared with one another.
    static let rules: [HostileRequest] = [
        link("count", 25) { rules($0) { "\"query\":{\"a\":\(values(20, of: $0) { "v\($0)" })}" } },
        link("values", 125) { count in rules(4) { "\"query\":{\"a\":\(values(count, of: $0) { "v\($0)" })}" } },
        link("parameters", 25) { count in
            rules(4) { rule in "\"query\":{\(members(count, values(5, of: rule) { "v\($0)" }))}" }
        },
        link("languages", 125) { count in rules(4) { "\"language\":\(values(count, of: $0) { "de-x\($0)" })" } },
        link("subtags", 125) { count in
            rules(4) { "\"language\":\(values(count, of: $0) { "de-a-b-c-d-e-f-g-h-x\($0)" })" }
        },
        link("referrers", 125) { count in
            rules(4) { "\"referrerHost\":\(values(count, of: $0) { "*.x\($0).a.a.a.a.example" })" }
        },
        link("labels", 125, [422, 422]) { count in
            rules(4) { "\"referrerHost\":\(values(count, of: $0) { "x\($0)\(repeated(".a", 120))" })" }
        },
        link("platforms", 25) { count in
            let urls = ["iphone", "ipad", "android", "macos", "windows", "linux"].map {
                "\"\($0)\":\"https://shop.example.com/\""
            }
            let rules = elements(count) { index in
                let country =
                    "\(Character(UnicodeScalar(UInt8(65 + index / 26))))\(Character(UnicodeScalar(UInt8(65 + index % 26))))"
                return
                    #"{"when":{"country":"\#(country)","browser":["safari"]},"to":{\#(urls.joined(separator: ","))}}"#
            }
            return "\"rules\":[\(rules)]"
        },
        link("shares", 25) { count in
            "\"rules\":[" + elements(count) { _ in #"{"when":{"percentage":2},"to":"https://shop.example.com/"}"# }
                + "]"
        },
        link("urls", 20, [201, 422]) { count in
            rules(count) { "\"query\":{\"a\":\"\($0)\"}" }
                .replacing("shop.example.com/\"", with: "shop.example.com/\(repeated("x", 2_000))\"")
        },
        link("too-many-values", 10, [422, 422]) { count in
            rules(count) { "\"query\":{\(members(5, values(250, of: $0) { "v\($0)" }))}" }
        },
        link("wide-parameters", 25_000, [422, 422]) { count in
            rules(1) { _ in "\"query\":{\(members(count, "true"))}" }
        },
        link("wide", 100_000, [422, 422]) { "\"rules\":\(list($0, "{}"))" },
        link("wide-values", 100_000, [422, 422]) { count in rules(1) { _ in "\"language\":\(list(count, "\"de\""))" } },
    ]
}
