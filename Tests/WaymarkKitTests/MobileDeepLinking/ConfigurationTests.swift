import Testing

@testable import WaymarkKitCompatibility

@Suite struct ConfigurationTests {
    private func problems(_ json: String, ignoresUnknownKeys: Bool = false) -> [String] {
        do {
            _ = try MobileDeepLinkingConfiguration(json: Array(json.utf8), ignoresUnknownKeys: ignoresUnknownKeys)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func readsEveryKey() throws {
        let json = """
            {
              "logging": "true",
              "storyboard": {"iPhone": "Main_iPhone", "iPad": "Main_iPad"},
              "defaultRoute": {"class": "HomeViewController"},
              "routes": {
                "sales/:saleId": {
                  "class": "SaleViewController", "identifier": "sale", "storyboard": {"iPhone": "Sales"},
                  "handlers": ["authenticate", "log"],
                  "routeParameters": {"saleId": {"required": true, "regex": "[0-9]+"}, "utmSource": {}}
                },
                "product": {"handlers": []}
              }
            }
            """
        let configuration = try MobileDeepLinkingConfiguration(json: Array(json.utf8))
        #expect(configuration.logging)
        #expect(configuration.storyboard?.name(on: .iPad) == "Main_iPad")
        #expect(configuration.defaultRoute?.className == "HomeViewController")
        #expect(configuration.routes.map(\.pattern) == ["sales/:saleId", "product"])
        let sale = try #require(configuration.routes.first)
        #expect(sale.handlers == ["authenticate", "log"])
        #expect(sale.parameters.map(\.name) == ["saleId", "utmSource"])
        #expect(sale.parameters.map(\.isRequired) == [true, false])
        #expect(sale.parameters.map(\.regex) == ["[0-9]+", nil])
        #expect(sale.storyboard?.name(on: .iPad) == "Sales")
        #expect(configuration.warnings.isEmpty)
    }

    @Test func namesEveryProblemWithItsPlace() {
        let json = """
            {
              "loging": true,
              "logging": "yes",
              "storyboard": "Main",
              "defaultRoute": {"routeParameters": {}},
              "routes": {
                "a": {"class": 1, "handlers": ["x", 2], "pathParameters": {}},
                "b": {"handlers": "x", "storyboard": {"iPhone": null, "iPod": "x"}},
                "c/:d": {"routeParameters": {"d": {"required": "maybe", "regex": "(a"}}},
                "e": []
              }
            }
            """
        #expect(
            problems(json) == [
                "line 2, column 3: loging: is not a known key; known are logging, storyboard, defaultRoute, routes",
                "line 3, column 14: logging: must be true, false, \"true\" or \"false\", not another string",
                "line 4, column 17: storyboard: must be an object, not a string",
                "line 5, column 20: defaultRoute > routeParameters: is not a known key; known are class, identifier, "
                    + "storyboard, handlers",
                "line 7, column 20: routes > a > class: must be a string, not a number",
                "line 7, column 41: routes > a > handlers > 2: must be a string, not a number",
                "line 7, column 45: routes > a > pathParameters: is not a known key; known are class, identifier, "
                    + "storyboard, handlers, routeParameters",
                "line 8, column 23: routes > b > handlers: must be an array of names, not a string",
                "line 8, column 53: routes > b > storyboard > iPhone: must be a string, not null",
                "line 8, column 59: routes > b > storyboard > iPod: is not a known key; known are iPhone, iPad",
                "line 9, column 52: routes > c/:d > routeParameters > d > required: must be true, false, \"true\" or "
                    + "\"false\", not another string",
                "line 9, column 70: routes > c/:d > routeParameters > d > regex: an opening parenthesis has no closing one "
                    + "(character 1)",
                "line 10, column 10: routes > e: must be an object, not an array",
            ])
    }

    @Test(arguments: [
        ("", "line 1, column 1: a value was expected here, not the end of the text"),
        ("[]", "line 1, column 1: must be an object, not an array"),
        ("{\n  /* no */ }", "line 2, column 3: the name of a member in quotation marks was expected here, not '/'"),
        (
            #"{"defaultRoute": {"storyboard": {}, "storyboard": "Main"}}"#,
            "line 1, column 37: the member \"storyboard\" stands twice in one object"
        ),
    ])
    func refusesWhatIsNotOneObjectOfJSON(json: String, problem: String) {
        #expect(problems(json) == [problem])
    }

    @Test func passesOverUnknownKeysWhereAsked() {
        #expect(problems(#"{"more": 1, "routes": {"a": {"more": {}}}}"#, ignoresUnknownKeys: true) == [])
        #expect(problems(#"{"more": 1, "routes": []}"#, ignoresUnknownKeys: true).count == 1)
    }

    @Test func stopsAtAHundredProblems() {
        let members = (0..<500).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(problems("{\(members)}").count == 100)
    }

    @Test(arguments: ["/data", "data/", "a//b", ""])
    func warnsOfRoutesThatNoURLMatches(pattern: String) throws {
        let json = "{\"routes\": {\"fine\": {}, \"\(pattern)\": {}}}"
        let configuration = try MobileDeepLinkingConfiguration(json: Array(json.utf8))
        #expect(configuration.warnings.map(\.column) == [25])
        #expect(configuration.match("x:/" + pattern) == nil)
        #expect(configuration.match("x://" + pattern)?.route.pattern != pattern)
    }

    @Test(arguments: [
        ("storyboard", MobileDeepLinkingDevice.iPad, "storyboard Pads list Class"),
        ("storyboard", .iPhone, "storyboard Phones list Class"),
        ("own", .iPad, "storyboard Own list -"), ("nib", .iPad, "nib list Class"), ("code", .iPhone, "code Class"),
        ("none", .iPhone, "-"), ("identifierOnly", .iPhone, "-"),
    ])
    func choosesTheView(route: String, device: MobileDeepLinkingDevice, view: String) throws {
        let json = """
            {"routes": {
              "storyboard": {"identifier": "list", "class": "Class", "storyboard": {"iPhone": "Phones", "iPad": "Pads"}},
              "own": {"identifier": "list", "storyboard": {"iPhone": "Own"}},
              "nib": {"identifier": "list", "class": "Class"},
              "code": {"class": "Class", "storyboard": {"iPhone": "Own"}},
              "identifierOnly": {"identifier": "list"},
              "none": {}
            }}
            """
        let configuration = try MobileDeepLinkingConfiguration(json: Array(json.utf8))
        let found = try #require(configuration.routes.first { $0.pattern == route })
        let text =
            switch configuration.view(of: found, on: device) {
            case .storyboard(let name, let identifier, let className):
                "storyboard \(name) \(identifier) \(className ?? "-")"
            case .nib(let name, let className): "nib \(name) \(className)"
            case .code(let className): "code \(className)"
            case nil: "-"
            }
        #expect(text == view)
    }
}
