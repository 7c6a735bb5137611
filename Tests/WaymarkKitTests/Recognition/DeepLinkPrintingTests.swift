import Testing

@testable import WaymarkKitCompatibility

@Suite struct DeepLinkPrintingTests {
    private let photo = DeepLinkTemplate().term("show").string(named: "kind").int(named: "page")
        .queryStringParameters([.requiredString(named: "name"), .optionalBool(named: "large")])

    @Test func printsWhatItReads() {
        let values = DeepLinkValues(
            path: ["kind": "a/b c", "page": 2], query: ["name": "cat&dog=1+1", "large": true], fragment: "top")
        #expect(
            photo.url(filledWith: values, scheme: "shop")?.text
                == "shop://show/a%2Fb%20c/2?large=true&name=cat%26dog%3D1%2B1#top")
        #expect(
            photo.url(filledWith: values, scheme: "https", host: "go.example.com")?.text
                == "https://go.example.com/show/a%2Fb%20c/2?large=true&name=cat%26dog%3D1%2B1#top")
        #expect(DeepLinkTemplate().url(filledWith: DeepLinkValues(), scheme: "shop")?.text == "shop://")
    }

    @Test(arguments: [
        DeepLinkValues(path: ["kind": "a"], query: ["name": "b"]),
        DeepLinkValues(path: ["kind": "a", "page": "1"], query: ["name": "b"]),
        DeepLinkValues(path: ["kind": "", "page": 1], query: ["name": "b"]),
        DeepLinkValues(path: ["kind": "..", "page": 1], query: ["name": "b"]),
        DeepLinkValues(path: ["kind": "a", "page": 1]),
        DeepLinkValues(path: ["kind": "a", "page": 1], query: ["name": 1]),
        DeepLinkValues(path: ["kind": "a", "page": 1], query: ["name": "b", "large": "true"]),
        DeepLinkValues(path: ["kind": "a", "page": 1], query: ["name": "b"], fragment: "a b"),
        DeepLinkValues(path: ["kind": "a", "page": 1], query: ["name": "b"], fragment: "%zz"),
    ])
    func printsNothingThatCouldNotBeReadBack(values: DeepLinkValues) {
        #expect(photo.url(filledWith: values, scheme: "shop") == nil)
    }

    @Test(arguments: ["", "1a", "a b", "a:", "é"])
    func refusesASchemeThatIsNone(scheme: String) {
        #expect(DeepLinkTemplate().term("a").url(filledWith: DeepLinkValues(), scheme: scheme) == nil)
    }

    @Test(arguments: ["a b", "a&b", "a=b", "a#b", "é", "_hk_cid", "%5Fhk_x", "a%"])
    func refusesANameThatAQueryCannotHold(name: String) {
        let template = DeepLinkTemplate().queryStringParameters([.requiredInt(named: name)])
        #expect(template.url(filledWith: DeepLinkValues(query: [name: 1]), scheme: "shop") == nil)
    }

    /// Random templates filled with random values: what is printed reads back as the same values.
    @Test(arguments: [nil, "go.example.com"] as [String?])
    func readsBackWhatItPrinted(host: String?) throws {
        var generator = SeededGenerator(seed: 9)
        let options = DeepLinkMatchingOptions(webHost: host == nil ? .isFirstPart : .isLeftOut)
        var printed = 0
        for _ in 0..<1_500 {
            var template = DeepLinkTemplate()
            var path: [String: any Sendable] = [:]
            for index in 0..<Int.random(in: 0...4, using: &generator) {
                let name = "p\(index)"
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: template = template.term(generator.text(upTo: 4))
                case 1:
                    template = template.int(named: name)
                    path[name] = generator.integer()
                case 2:
                    template = template.double(named: name)
                    path[name] = generator.double()
                case 3:
                    template = template.bool(named: name)
                    path[name] = Bool.random(using: &generator)
                default:
                    template = template.string(named: name)
                    path[name] = generator.text(upTo: 4)
                }
            }
            var query: [String: any Sendable] = [:]
            var parameters: Set<DeepLinkTemplate.QueryStringParameter> = []
            for index in 0..<Int.random(in: 0...4, using: &generator) {
                let name = "q\(index)"
                let isGiven = Bool.random(using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    parameters.insert(.optionalInt(named: name))
                    if isGiven { query[name] = generator.integer() }
                case 1:
                    parameters.insert(.optionalDouble(named: name))
                    if isGiven { query[name] = generator.double() }
                case 2:
                    parameters.insert(.requiredBool(named: name))
                    query[name] = isGiven
                default:
                    parameters.insert(.requiredString(named: name))
                    query[name] = generator.text(upTo: 4)
                }
            }
            template = template.queryStringParameters(parameters)
            let values = DeepLinkValues(
                path: path, query: query, fragment: Bool.random(using: &generator) ? "f%20" : nil)
            guard let url = template.url(filledWith: values, scheme: host == nil ? "shop" : "https", host: host) else {
                continue
            }
            printed += 1
            let read = try #require(template.values(in: url, options: options), "\(url)")
            #expect(Self.text(read.path) == Self.text(path))
            #expect(Self.text(read.query) == Self.text(query))
            #expect(read.fragment == values.fragment)
        }
        #expect(printed > 500)
    }

    private static func text(_ values: [String: any Sendable]) -> [String] {
        values.map { "\($0): \(type(of: $1)) \(Array("\($1)".utf8))" }.sorted()
    }
}

extension SeededGenerator {
    fileprivate mutating func integer() -> Int {
        [0, 1, -1, 42, Int.max, Int.min, Int.random(in: -1_000...1_000, using: &self)].randomElement(using: &self) ?? 0
    }

    fileprivate mutating func double() -> Double {
        [
            0, -0.0, 3.14, 1e20, -1e-20, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            Double.random(in: -1...1, using: &self),
        ].randomElement(using: &self) ?? 0
    }
}
