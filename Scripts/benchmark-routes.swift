import Foundation
import WaymarkKit
import WaymarkKitCompatibility

// A shop with many routes: a literal, a number of its own, a variable and a literal. Each round asks for every route once
// (for 10,000 of them where there are fewer). Printed are the medians of nine rounds.

/// CPU time of the process, in nanoseconds: others on the machine do not count.
func median(_ rounds: Int = 9, _ work: () -> Void) -> Double {
    let times = (0..<rounds).map { _ in
        let start = clock()
        work()
        return Double(clock() - start) * 1e9 / Double(CLOCKS_PER_SEC)
    }
    return times.sorted()[rounds / 2]
}

func rounded(_ nanoseconds: Double) -> String {
    nanoseconds < 10_000
        ? "\(Int(nanoseconds.rounded())) ns"
        : nanoseconds < 10_000_000
            ? "\(Int((nanoseconds / 1_000).rounded())) µs" : "\(Int((nanoseconds / 1_000_000).rounded())) ms"
}

/// What the original libraries did: every route in order, until one fits.
struct Scan {
    let routes: [[RouteFormat.Segment]]

    func find(_ url: DeepLinkURL) -> Int? {
        let path = [Substring(url.host ?? "")] + url.segments
        return routes.firstIndex { segments in
            segments.count == path.count
                && zip(segments, path).allSatisfy { segment, value in
                    if case .literal(let text) = segment { text == value } else { true }
                }
        }
    }
}

print("| routes | mapping all | finding one | by trying one after the other | in a configuration |")
print("|---|---|---|---|---|")
for count in [10, 100, 1_000, 10_000] {
    let formats = (0..<count).map { "shop\($0 % 100)/products\($0)/:id/reviews" }
    let urls = (0..<10_000).map { DeepLinkURL("shop://shop\($0 % count % 100)/products\($0 % count)/42/reviews?a=1") }

    let mapping = median {
        let deeplinking = Deeplinking()
        for format in formats { try? deeplinking.map(format) { _ in } }
    }
    let deeplinking = Deeplinking()
    for format in formats { try? deeplinking.map(format) { _ in } }
    let finding = median {
        for url in urls where !deeplinking.canOpen(url) { preconditionFailure("a route is not found") }
    }
    let scan = Scan(routes: formats.map { RouteFormat($0).segments })
    let some = Array(urls.shuffled().prefix(200))
    let scanning = median {
        for url in some where scan.find(url) == nil { preconditionFailure("a route is not found") }
    }
    let json = "{\"routes\": {" + formats.map { "\"\($0)\": {}" }.joined(separator: ",") + "}}"
    let configuration = try MobileDeepLinkingConfiguration(json: Array(json.utf8))
    let matching = median {
        for url in urls where configuration.match(url) == nil { preconditionFailure("a route is not found") }
    }
    let each = [mapping, finding / 10_000, scanning / 200, matching / 10_000].map(rounded)
    print("| \(count) | " + each.joined(separator: " | ") + " |")
}
