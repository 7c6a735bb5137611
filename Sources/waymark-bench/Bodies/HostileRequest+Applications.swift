extension HostileRequest {
    private static func put(
        _ name: String, _ count: Int, _ statuses: [Int] = [422, 422], _ members: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        HostileRequest("app-" + name, "/api/v1/apps/other", count, statuses, method: "PUT") {
            #"{"name":"Other","web":{"baseURL":"https://other.example"},\#(members($0))}"#
        }
    }

    private static let domain = #""domains":["other.example.com"]"#

    static let applications: [HostileRequest] = [
        put("domains", 50, [201, 201]) { count in "\"domains\":[" + elements(count) { "\"d\($0).example\"" } + "]" },
        put("domains-wide", 30_000) { "\"domains\":\(list($0, "\"a.example\""))" },
        put("templates", 250, [201, 201]) { count in
            let templates = elements(count) {
                #"{"name":"t\#($0)","route":"r\#($0)/:a/:b","urls":{"web":"https://other.example/:a/:b"}}"#
            }
            return "\(domain),\"templates\":[\(templates)]"
        },
        put("templates-alike", 250, [201, 201]) { count in
            let templates = elements(count) {
                #"{"name":"t\#($0)","route":":a\#(repeated("/a", $0 % 20))/x\#($0)","urls":{"web":"https://other.example/"}}"#
            }
            return "\(domain),\"templates\":[\(templates)]"
        },
        put("templates-wide", 100_000) { "\"templates\":\(list($0, "{}"))" },
        put("destinations", 99, [201, 201]) { count in
            let allowed = elements(count) { "\"*.h\($0).example\"" }
            let blocked = elements(count) { "\"*.h\($0).test\"" }
            let templates = elements(2 * count) {
                #"{"name":"t\#($0)","route":"r\#($0)","urls":{"web":"https://a.h\#(count - 1).example/"}}"#
            }
            return
                #"\#(domain),"destinations":{"allowedHosts":[\#(allowed),"other.example"],"blockedHosts":[\#(blocked)]},"templates":[\#(templates)]"#
        },
        put("hosts-wide", 40_000) { "\"destinations\":{\"allowedHosts\":\(list($0, "\"a.example\""))}" },
        put("components", 2_000, [201, 201]) { count in
            let components = elements(count) { "{\"/\":\"/a\($0)/*\"}" }
            return "\(domain),\"ios\":{\"appIDs\":[\"ABCDE12345.com.example.other\"],\"components\":[\(components)]}"
        },
        put("components-wide", 100_000) { "\"ios\":{\"components\":\(list($0, "{}"))}" },
        put("details", 25, [201, 201]) { count in
            let ids = elements(50) { "\"ABCDE12345.com.example.a\($0)\"" }
            let details = elements(count) { _ in "{\"appIDs\":[\(ids)],\"components\":[{\"/\":\"/*\"}]}" }
            return "\(domain),\"ios\":{\"details\":[\(details)]}"
        },
        put("apps", 25, [201, 201]) { count in
            let prints = list(10, "\"" + repeated("AB:", 31) + "AB\"")
            let apps = elements(count) { "{\"package\":\"com.example.a\($0)\",\"sha256CertFingerprints\":\(prints)}" }
            return "\(domain),\"android\":{\"apps\":[\(apps)]}"
        },
        put("fingerprints-wide", 100_000) { "\"android\":{\"sha256CertFingerprints\":\(list($0, "\"\""))}" },
        put("schemes-wide", 100_000) { "\"schemes\":\(list($0, "\"\""))" },
        put("origins", 50, [201, 201]) { count in
            "\(domain),\"cors\":{\"origins\":[" + elements(count) { "\"https://o\($0).example\"" } + "]}"
        },
        put("origins-wide", 100_000) { "\"cors\":{\"origins\":\(list($0, "\"\""))}" },
        put("rules", 25, [201, 201]) { count in
            "\(domain)," + rules(count) { "\"query\":{\"a\":\(values(20, of: $0) { "v\($0)" })}" }
        },
        put("unknown", 35_000) { members($0, "0") },
        put("nested-unknown", 35_000) { "\"ios\":{\(members($0, "0"))}" },
        shared,
    ]

    /// Two applications that serve every host, and so share their association files.
    private static let shared: HostileRequest = {
        @Sendable func ios(_ count: Int, _ name: String) -> String {
            let components = elements(count) { "{\"/\":\"/\(name)\($0)/*\"}" }
            return "\"ios\":{\"appIDs\":[\"ABCDE12345.com.example.\(name)\"],\"components\":[\(components)]}"
        }
        var request = put("shared", 1_000, [201, 201]) { ios($0, "b") }
        request.preparations = [
            call(
                "PUT", "/api/v1/apps/first",
                #"{"name":"First","web":{"baseURL":"https://a.example"},\#(ios(1_000, "a"))}"#)
        ]
        return request
    }()
}
