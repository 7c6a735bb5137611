import Testing

@testable import WaymarkKitCompatibility

@MainActor
@Suite struct MobileDeepLinkingTests {
    private func configuration(
        _ json: String, dialect: MobileDeepLinkingDialect = .specification
    ) throws -> MobileDeepLinkingConfiguration {
        try MobileDeepLinkingConfiguration(json: Array(json.utf8), dialect: dialect)
    }

    @Test(
        arguments: [
            ("x://a/b", "a/b"), ("x://a/z", "a/:second"), ("x://a/1", "a/:second"), ("x://a/1/2", "a/:number/2"),
            ("x://a/q/2", "a/:any/2"), ("x://:literal/b", ":literal/b"), ("x://z/b", nil), ("x:///a/b", nil),
            ("x:a/b", nil),
            ("x://a%2Fb", nil), ("x://a/b%2F", "a/b"), ("x://a//b//", "a/b"), ("x://a:80/b#f", "a/b"), ("x://A/b", nil),
        ] as [(String, String?)])
    func triesLiteralsBeforeVariablesAndThenTheOrderOfTheFile(url: String, route: String?) throws {
        let configuration = try configuration(
            """
            {"routes": {
              "a/:first": {"routeParameters": {"first": {"regex": "never"}}},
              "a/:second": {}, "a/:third": {}, "a/b": {}, ":literal/b": {},
              "a/:number/2": {"routeParameters": {"number": {"regex": "[0-9]"}}},
              "a/:any/2": {}
            }}
            """)
        let match = configuration.match(url)
        #expect(match?.route.pattern == route)
        #expect(match == nil || match?.fallbackDepth == 0)
    }

    @Test(
        arguments: [
            ("x://sales/3/more/still", "sales/:id", 2), ("x://sales/abc", "sales", 1), ("x://sales/abc/3", "sales", 2),
            ("x://sales/a%20b", "sales", 1), ("x://sales", "sales", 0), ("x://other/3", nil, 0),
        ] as [(String, String?, Int)])
    func fallsBackToTheParent(url: String, route: String?, depth: Int) throws {
        let configuration = try configuration(
            """
            {"routes": {"sales": {}, "sales/:id": {"routeParameters": {"id": {"regex": "[0-9]"}}}}}
            """)
        let match = configuration.match(url)
        #expect(match?.route.pattern == route)
        #expect(match?.fallbackDepth ?? 0 == depth)
    }

    @Test func takesDeclaredItemsOfTheQueryOnly() throws {
        let configuration = try configuration(
            """
            {"routes": {"a/:id": {"routeParameters": {"id": {}, "q": {"required": true, "regex": "[a-z+ ]*"}}}}}
            """)
        #expect(configuration.match("x://a/1?q=b+c&other=2&id=3")?.parameters == ["id": "3", "q": "b+c"])
        #expect(configuration.match("x://a/1?q=b&q=c%20d")?.parameters == ["id": "1", "q": "c d"])
        #expect(configuration.match("x://a/1?q=")?.parameters == ["id": "1", "q": ""])
        // Every one of equal names must be valid; a pair with two equals signs is none; a required one must be there.
        #expect(configuration.match("x://a/1?q=B&q=c") == nil)
        #expect(configuration.match("x://a/1?q=a=b") == nil)
        #expect(configuration.match("x://a/1") == nil)
        #expect(configuration.match("x://a/1?q=b&_hk_cid=C1")?.parameters == ["id": "1", "q": "b"])
    }

    @Test func readsAVariableSpelledOutAsNoValue() throws {
        let match = try configuration(#"{"routes": {"a/:id": {}}}"#).match("x://a/:id")
        #expect(match?.parameters == [:])
    }

    @Test func forwardsOneDictionaryThroughTheHandlersToTheView() throws {
        let presenter = Presenter()
        let routing = MobileDeepLinking(
            configuration: try configuration(
                #"{"routes": {"sale/:id": {"class": "Sale", "handlers": ["double", "name"]}}}"#), presenter: presenter)
        routing.registerHandler(named: "double") { $0["id"] = (Int($0["id"] as? String ?? "") ?? 0) * 2 }
        routing.registerHandler(named: "name") { $0["name"] = "number \($0["id"] ?? "")" }
        let outcome = routing.route("x://sale/21?_hk_cid=C1")
        #expect(outcome.destination == .route("sale/:id"))
        #expect(outcome.handlers == ["double", "name"])
        #expect(outcome.parameters["id"] as? Int == 42)
        #expect(outcome.service.clickID == "C1")
        #expect(presenter.shown.map(\.view) == [.code(className: "Sale")])
        #expect(presenter.shown.first?.parameters["name"] as? String == "number 42")
    }

    @MainActor
    final class Presenter: MobileDeepLinkingPresenting {
        var refused: Set<String> = []
        var shown: [(view: MobileDeepLinkingView, parameters: [String: Any])] = []

        func present(_ view: MobileDeepLinkingView, parameters: [String: Any]) -> Bool {
            guard !refused.contains(view.className ?? "") else { return false }
            shown.append((view, parameters))
            return true
        }
    }

    @Test func triesTheParentWhereARouteFails() throws {
        let presenter = Presenter()
        presenter.refused = ["Detail"]
        let routing = MobileDeepLinking(
            configuration: try configuration(
                """
                {"defaultRoute": {"class": "Home"}, "routes": {
                  "a": {"class": "List"}, "a/:b": {"class": "Detail", "handlers": ["mark"]},
                  "a/:b/:c": {"handlers": ["mark", "unknown"]}, "z": {"class": "Detail"}
                }}
                """), presenter: presenter)
        var marks = 0
        routing.registerHandler(named: "mark") { parameters in
            marks += 1
            parameters["marked"] = true
        }
        let outcome = routing.route("x://a/1/2")
        #expect(outcome.destination == .route("a"))
        #expect(outcome.fallbackDepth == 2)
        #expect(outcome.parameters.isEmpty)
        #expect(marks == 1)
        #expect(
            outcome.failures == [
                .init(route: "a/:b/:c", reason: .handlerNotRegistered("unknown")),
                .init(route: "a/:b", reason: .viewRefused(.code(className: "Detail"))),
            ])

        let home = routing.route("x://z")
        #expect(home.destination == .defaultRoute)
        #expect(home.fallbackDepth == 1)
        #expect(home.view == .code(className: "Home"))
        #expect(home.failures.count == 1)
    }

    @Test func opensNothingWithoutADefaultRoute() throws {
        let routing = MobileDeepLinking(configuration: try configuration(#"{"routes": {"a": {}}}"#))
        let outcome = routing.route("x://b/c/d")
        #expect(outcome.destination == .none)
        #expect(outcome.fallbackDepth == 3)
        #expect(routing.route("").fallbackDepth == 0)
    }

    @Test func replacesAHandlerOfTheSameName() throws {
        let routing = MobileDeepLinking(
            configuration: try configuration(#"{"defaultRoute": {"handlers": ["log"]}}"#))
        routing.registerHandler(named: "log") { $0["first"] = true }
        routing.registerHandler(named: "log") { $0["second"] = true }
        #expect(Array(routing.route("x://a").parameters.keys) == ["second"])
    }

    @Test func logsOnlyWhereTheConfigurationSaysSo() throws {
        for (logging, count) in [("true", 1), ("false", 0)] {
            var lines: [String] = []
            let routing = MobileDeepLinking(
                configuration: try configuration("{\"logging\": \(logging), \"routes\": {\"a/:b\": {}}}")
            ) { lines.append($0) }
            routing.route("x://a/secret")
            #expect(lines.count == count)
            #expect(!lines.contains { $0.contains("secret") })
        }
    }

    @Test func takesAsManyStepsForTenTimesTheRoutes() throws {
        func steps(_ count: Int) throws -> Int {
            let routes = (0..<count).map { "\"shop\($0 % 100)/products\($0)/:id\": {}" }.joined(separator: ",")
            let configuration = try configuration("{\"routes\": {\(routes)}}")
            var steps = 0
            for index in 0..<count {
                let url = DeepLinkURL("x://shop\(index % 100)/products\(index)/7")
                #expect(configuration.match(url, from: 0, steps: &steps)?.parameters == ["id": "7"])
            }
            return steps / count
        }
        #expect(try steps(300) == 4)
        #expect(try steps(3_000) == 4)
    }

    @Test func looksNoFurtherThanTheLongestRoute() throws {
        let configuration = try configuration(
            #"{"routes": {"a": {}, "a/:b": {"routeParameters": {"c": {"required": true}}}}}"#)
        var steps = 0
        let url = DeepLinkURL("x://a" + String(repeating: "/b", count: 50_000))
        #expect(configuration.match(url, from: 0, steps: &steps)?.route.pattern == "a")
        #expect(steps == 5)
    }

    @Test func survivesAnyText() throws {
        let routing = MobileDeepLinking(
            configuration: try configuration(
                #"{"routes": {"shop/:a/:b": {}, "a": {}, "42/:x": {"routeParameters": {"x": {"regex": "\\w+"}}}}}"#))
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2_000 {
            let url = DeepLinkURL(generator.text(upTo: 10))
            let outcome = routing.route(url)
            #expect((outcome.destination == .none) == (routing.configuration.match(url) == nil))
        }
    }
}
