import WaymarkKit

// A shop with many routes: a literal, a number of its own, a variable and a literal. Each round asks for every route once
// (for 10,000 of them where there are fewer). Printed are the medians of nine rounds.

let clock = ContinuousClock()

func median(_ rounds: Int = 9, _ measure: () -> Duration) -> Double {
    let times = (0..<rounds).map { _ in measure() }.sorted()
    let (seconds, attoseconds) = times[rounds / 2].components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

func rounded(_ nanoseconds: Double) -> String {
    nanoseconds < 10_000
        ? "\(Int(nanoseconds.rounded())) ns"
        : nanoseconds < 10_000_000
            ? "\((nanoseconds / 1_000).rounded() ) µs" : "\((nanoseconds / 1_000_000).rounded()) ms"
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
        clock.measure {
            let deeplinking = Deeplinking()
            for format in formats { deeplinking.map(format) { _ in } }
        }
    }
    let deeplinking = Deeplinking()
    for format in formats { deeplinking.map(format) { _ in } }
    let finding = median {
        clock.measure {
            for url in urls where !deeplinking.canOpen(url) { preconditionFailure("a route is not found") }
        }
    }
    let scan = Scan(routes: formats.map { RouteFormat($0).segments })
    let some = Array(urls.shuffled().prefix(200))
    let scanning = median {
        clock.measure {
            for url in some where scan.find(url) == nil { preconditionFailure("a route is not found") }
        }
    }
    let json = "{\"routes\": {" + formats.map { "\"\($0)\": {}" }.joined(separator: ",") + "}}"
    let configuration = try MobileDeepLinkingConfiguration(json: Array(json.utf8))
    let matching = median {
        clock.measure {
            for url in urls where configuration.match(url) == nil { preconditionFailure("a route is not found") }
        }
    }
    let each = [mapping, finding / 10_000, scanning / 200, matching / 10_000].map(rounded)
    print("| \(count) | " + each.joined(separator: " | ") + " |")
}
