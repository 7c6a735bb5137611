// needs: WaymarkKit
// begins with: Tests/Fuzz/Corpus/Routes
// longest: 512

import WaymarkKit

private let lenient = RoutingDialect(
    isCaseSensitive: false, keepsEmptySegments: false, escapedSlashSeparates: true, duplicateQueryItem: .first,
    flagIsEmptyString: true, duplicateDefaultRoute: .first, keepsUnroutedDeeplink: false)

/// A URL on the first line and routes on the others: the tree finds what a search of the sorted routes finds, in
/// two dialects that differ in everything.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    let (url, formats) = (lines[0], lines.dropFirst())
    // libFuzzer calls on the main thread.
    MainActor.assumeIsolated {
        for dialect in [RoutingDialect.standard, lenient] { play(url, formats, dialect) }
    }
    return 0
}

@MainActor
private func play(_ url: String, _ formats: ArraySlice<String>, _ dialect: RoutingDialect) {
    let all = Deeplinking(dialect: dialect)
    var found: String?
    for format in formats where !RouteFormat(format).text.isEmpty { try? all.map(format) { found = $0.route } }
    let opened = all.open(url)
    precondition(opened == (found != nil) && opened == all.canOpen(url), "open and canOpen disagree")

    // Each route alone, in the order of priority.
    let first = all.mappedRoutes.first { format in
        let one = Deeplinking(dialect: dialect)
        try? one.map(format) { _ in }
        return one.canOpen(url)
    }
    precondition(first.map { Array($0.utf8) } == found.map { Array($0.utf8) }, "another route was found")
    guard let deeplink = all.currentDeeplink, opened else { return }
    let names = Set(RouteFormat(deeplink.route ?? "").variables)
    precondition(Set(deeplink.routeParameters.keys) == names, "the parameters are not the route's variables")
}
