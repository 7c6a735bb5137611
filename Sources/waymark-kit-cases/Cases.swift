import Foundation
import WaymarkJSON

/// Runs a file of the shared cases (`Clients/README.md`, section 13) with WaymarkKit.
@main
struct Cases {
    @MainActor static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 1, let path = arguments.first else {
            complain("usage: waymark-kit-cases FILE")
            exit(2)
        }
        do {
            let file = try CaseFile(path)
            var failures = 0
            for one in file.cases {
                do {
                    let actual = try await outcome(of: one, kind: file.kind)
                    let differing = one.expected.members.filter {
                        !isMet($0.value, by: actual[$0.name], named: $0.name)
                    }
                    guard !differing.isEmpty else { continue }
                    failures += 1
                    complain("\(path): \(one.name)")
                    for member in differing {
                        complain(
                            "  \(member.name): expected \(member.value.line), got \(actual[member.name]?.line ?? "nothing")"
                        )
                    }
                } catch {
                    failures += 1
                    complain("\(path): \(one.name)\n  \(error)")
                }
            }
            print("\(file.cases.count - failures) cases passed")
            exit(failures == 0 ? 0 : 1)
        } catch {
            complain("\(path): \(error)")
            exit(2)
        }
    }

    /// Of a deep link, and of a result, only the members that are expected are compared. An absent member equals null.
    private static func isMet(_ expected: JSONValue, by actual: JSONValue?, named name: String) -> Bool {
        if name == "results", let results = expected.array, let actual = actual?.array, results.count == actual.count {
            return zip(results, actual).allSatisfy { expected, actual in
                (expected.object?.members ?? []).allSatisfy { isMet($0.value, by: actual[$0.name], named: $0.name) }
            }
        }
        guard ["deeplink", "deferred", "installation", "explanation"].contains(name),
            let members = expected.object?.members, let actual,
            !actual.isNull
        else {
            return expected == actual ?? .null
        }
        return members.allSatisfy { $0.value == actual[$0.name] ?? .null }
    }

    @MainActor private static func outcome(of one: SharedCase, kind: String) async throws -> JSONObject {
        switch kind {
        case "url": try URLCase.run(one.input)
        case "routes": try RoutingCase.routes(one.input)
        case "resolve": try await RoutingCase.resolve(one.input)
        case "openings": try await OpeningCase.run(one.input)
        case "explain": try await RoutingCase.explain(one.input)
        case "templates": try TemplateCase.run(one.input)
        case "create": try await RequestCase.create(one.input)
        case "retries": try await RequestCase.retries(one.input)
        case "deferred": try await RequestCase.deferred(one.input)
        case "events": try await RequestCase.events(one.input)
        default: throw CaseFileError("there are no cases of the kind \(kind)")
        }
    }

    private static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
