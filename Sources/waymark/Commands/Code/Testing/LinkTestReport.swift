import WaymarkJSON

/// The outcomes of link tests, for people and for programs.
struct LinkTestReport {
    private let outcomes: [LinkTests.Outcome]
    private let failed: [LinkTests.Outcome]

    init(_ outcomes: [LinkTests.Outcome]) {
        self.outcomes = outcomes
        failed = outcomes.filter { !$0.mismatches.isEmpty }
    }

    func text(_ format: TestCommand.Format) -> String {
        switch format {
        case .text: lines
        case .json: json.text(style: .pretty)
        case .junit: junit
        case .sarif: sarif.text(style: .pretty)
        }
    }

    private var lines: String {
        if outcomes.isEmpty { return "no link has a test; give links an \"expect\"" }
        var lines = zip(failed, Self.lineNumbers(failed)).map { outcome, line in
            let expectation = outcome.expectation
            return
                (["\(expectation.place.path):\(line): \(outcome.address) as \(expectation.name)"]
                + outcome.mismatches.map { "  \($0.sentence)" }).joined(separator: "\n")
        }
        lines.append("\((outcomes.count - failed.count).counted("test")) passed, \(failed.count) failed")
        return lines.joined(separator: "\n")
    }

    private static func lineNumbers(_ outcomes: [LinkTests.Outcome]) -> [Int] {
        CodePlace.lines(of: outcomes.map(\.expectation.place))
    }

    private var json: JSONValue {
        let tests = zip(outcomes, Self.lineNumbers(outcomes)).map { outcome, line -> JSONValue in
            let expectation = outcome.expectation
            var test: JSONObject = [
                "link": JSONValue(outcome.address), "as": JSONValue(expectation.visitor.name),
                "file": JSONValue(expectation.place.path), "line": JSONValue(line),
                "passed": JSONValue(outcome.mismatches.isEmpty),
            ]
            if let country = expectation.country { test["from"] = JSONValue(country) }
            if let language = expectation.language { test["language"] = JSONValue(language) }
            if let time = expectation.time { test["at"] = JSONValue(time) }
            if let variant = expectation.variant { test["variant"] = variant.map { JSONValue($0) } ?? .null }
            test["mismatches"] = JSONValue(
                outcome.mismatches.map { mismatch -> JSONValue in
                    [
                        "member": JSONValue(mismatch.member), "expected": JSONValue(mismatch.expected),
                        "found": JSONValue(mismatch.found),
                    ]
                })
            return JSONValue(test)
        }
        return [
            "passed": JSONValue(outcomes.count - failed.count), "failed": JSONValue(failed.count),
            "tests": JSONValue(tests),
        ]
    }

    /// The form that build servers read, as the Ant task JUnitReport writes it.
    private var junit: String {
        let counts = "tests=\"\(outcomes.count)\" failures=\"\(failed.count)\""
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts)>",
            "  <testsuite name=\"waymark\" \(counts) errors=\"0\" skipped=\"0\">",
        ]
        for (outcome, line) in zip(outcomes, Self.lineNumbers(outcomes)) {
            let place = outcome.expectation.place
            let start =
                "    <testcase classname=\"\(outcome.address.xml)\" name=\"\(outcome.expectation.name.xml)\""
                + " file=\"\(place.path.xml)\" line=\"\(line)\""
            guard !outcome.mismatches.isEmpty else {
                lines.append(start + "/>")
                continue
            }
            let message = outcome.mismatches.map(\.sentence).joined(separator: "; ")
            lines.append(start + ">")
            lines.append("      <failure message=\"\(message.xml)\">\("\(place.path):\(line)".xml)</failure>")
            lines.append("    </testcase>")
        }
        return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n")
    }

    /// Static Analysis Results Interchange Format 2.1.0 (OASIS), which forges show beside the lines.
    private var sarif: JSONValue {
        let rules = ["leadsTo", "opensApp", "outcome", "variant"].map { name -> JSONValue in
            ["id": JSONValue(name), "shortDescription": ["text": JSONValue("A link's visit has another \(name)")]]
        }
        let results = zip(failed, Self.lineNumbers(failed)).flatMap { outcome, line in
            outcome.mismatches.map { mismatch -> JSONValue in
                let text = "\(outcome.address) as \(outcome.expectation.name): \(mismatch.sentence)"
                return [
                    "ruleId": JSONValue(mismatch.member), "level": "error", "message": ["text": JSONValue(text)],
                    "locations": [
                        [
                            "physicalLocation": [
                                "artifactLocation": ["uri": JSONValue(outcome.expectation.place.path)],
                                "region": ["startLine": JSONValue(line)],
                            ]
                        ]
                    ],
                ]
            }
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": [
                            "name": "waymark test", "version": JSONValue(Version.text), "rules": JSONValue(rules),
                        ]
                    ],
                    "results": JSONValue(results),
                ]
            ],
        ]
    }
}

extension LinkTests.Outcome.Mismatch {
    var sentence: String { "\(member) is \(found), not \(expected)" }
}

extension String {
    /// As text or the value of an attribute in XML 1.0, which has no other control characters than these.
    fileprivate var xml: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\r", "\t": text += " "
            case _ where character.unicodeScalars.contains(where: \.isForbiddenInXML): text += "\u{FFFD}"
            default: text.append(character)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isForbiddenInXML: Bool { value < 0x20 || (0xFFFE...0xFFFF).contains(value) }
}
