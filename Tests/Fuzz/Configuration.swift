// needs: WaymarkKitCompatibility
// begins with: Tests/Fuzz/Corpus/Configuration
// longest: 4096

import WaymarkKitCompatibility

/// Any bytes as a configuration of MobileDeepLinking: problems with places, or routes, which are then asked for; regular
/// expressions in it must not hang.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let configuration: MobileDeepLinkingConfiguration
    do {
        configuration = try MobileDeepLinkingConfiguration(json: bytes)
    } catch {
        precondition((1...100).contains(error.problems.count), "no problem, or too many")
        let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
        for problem in error.problems {
            precondition((1...lines).contains(problem.line) && (1...count + 1).contains(problem.column), "\(problem)")
        }
        precondition(
            zip(error.problems, error.problems.dropFirst()).allSatisfy { ($0.line, $0.column) <= ($1.line, $1.column) },
            "problems are out of order")
        return 0
    }
    for route in configuration.routes.prefix(16) {
        let values = ["1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "a%2Fb"]
        for value in values {
            let query = route.parameters.prefix(4).map { $0.name + "=" + value }.joined(separator: "&")
            let path = RouteFormat(route.pattern).segments.map { segment in
                if case .literal(let text) = segment { text } else { value }
            }
            let url = DeepLinkURL("x://" + path.joined(separator: "/") + "?" + query)
            guard let match = configuration.match(url) else { continue }
            // An escaped slash separates segments, too.
            precondition(match.fallbackDepth <= url.path.utf8.count, "more was dropped than was there")
            for parameter in match.route.parameters where parameter.isRequired {
                precondition(match.parameters[parameter.name] != nil, "a required parameter is missing")
            }
        }
    }
    return 0
}
