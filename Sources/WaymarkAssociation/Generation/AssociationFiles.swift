/// The bytes of a host's association files, made once for every change of an application and then only copied out.
package struct AssociationFiles: Hashable, Sendable {
    /// `apple-app-site-association`; nil where nothing is configured for it, which is answered with 404.
    package let apple: [UInt8]?
    /// `assetlinks.json`; nil where nothing is configured for it, which is answered with 404.
    package let assetLinks: [UInt8]?
    /// Which of the files would be larger than `AppleAppSiteAssociation.sizeLimit` and are nil for that reason: what
    /// was about to be applied must be refused. Always empty for a source that `AssociationSource.read` gave; not so
    /// for several together.
    package let problems: [AssociationProblem]

    package init(_ source: AssociationSource) {
        var problems: [AssociationProblem] = []
        apple = source.apple.isEmpty ? nil : source.apple.bytes()
        if apple == nil, !source.apple.isEmpty {
            problems.append(Self.tooLarge(field: "ios", limit: AppleAppSiteAssociation.sizeLimit))
        }
        assetLinks = source.assetLinks.isEmpty ? nil : source.assetLinks.bytes()
        if assetLinks == nil, !source.assetLinks.isEmpty {
            problems.append(Self.tooLarge(field: "android", limit: AssetLinks.sizeLimit))
        }
        self.problems = problems
    }

    /// For a host that several applications share, in their order.
    package init(merging sources: [AssociationSource]) {
        self.init(AssociationSource(merging: sources))
    }

    private static func tooLarge(field: String, limit: Int) -> AssociationProblem {
        AssociationProblem(field: field, problem: "makes an association file of more than the \(limit) bytes allowed")
    }
}

/// The rules of an app whose owner gave none: nothing that is this service's own, then the routes of the application's
/// templates, and everything where it has no template. Every one of them can be reached.
enum GeneratedComponents {
    /// What a browser must get even where the app is installed: built-in pages, the API in its three generations, the
    /// page that shows where a link leads, and QR codes.
    static let exclusions = ["/_/*", "/api/*", "/v1/*", "/v2/*", "/*+", "/*/qr.*"]

    /// - Parameter routes: like `products/:product_id`, in the order of the templates, which is kept but for routes
    ///   that an earlier one would hide. Routes that lie within what is excluded open nothing and are left out.
    ///   Where there are too many to compare each with the others, they stay as they are: every one of them opens the app, so
    ///   the order decides nothing but whether each can be reached.
    static func components(routes: [String]) -> [AssociationComponent] {
        var patterns: [String] = []
        var seen: Set<String> = []
        for pattern in routes.map(pattern(route:)) where seen.insert(pattern).inserted { patterns.append(pattern) }
        let order = GeneratedOrder(patterns, exclusions: exclusions)
        if order.isComplete { patterns = order.patterns }
        if routes.isEmpty { patterns = ["/*"] }
        return exclusions.map { AssociationComponent(path: $0, exclude: true) }
            + patterns.map { AssociationComponent(path: $0) }
    }

    /// The path pattern that fits the route with any values: `/products/*`. It fits more than that, because Apple's `*`
    /// also crosses `/` and the language has nothing for "one segment".
    static func pattern(route: String) -> String {
        route.split(separator: "/").map { "/" + pattern(segment: $0) }.joined().nonEmpty ?? "/"
    }

    /// Visible ASCII that no path holds as it is (RFC 3986, section 3.3), beside what is handled by itself.
    private static let alwaysEncoded = Set(##""#<>[\]^`{|}"##.utf8)

    private static func pattern(segment: Substring) -> String {
        if segment.utf8.first == UInt8(ascii: ":"), segment.utf8.count > 1 { return "*" }
        var text = ""
        let holdsWildcard = segment.utf8.contains { "*$".utf8.contains($0) }
        let bytes = Array(segment.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%") where !startsEscape(bytes[index...]):
                text += "%25"
            case UInt8(ascii: "=") where holdsWildcard:
                // Behind a "?" it would look like a query that someone wrote into a path.
                text += "?"
            case UInt8(ascii: "*"), UInt8(ascii: "$"):
                // They mean something in a pattern and cannot be escaped; "any one character" is the narrowest that fits.
                text += "?"
            case 0x21...0x7E where byte != UInt8(ascii: "?") && !alwaysEncoded.contains(byte):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                // URLs are compared as they are written, that is encoded.
                text += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static func startsEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy { $0.hexadecimalValue != nil }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// Brings patterns into an order in which each can be reached: what lies within another one stands before it, and what
/// is excluded anyway is left out. Otherwise the order stays.
struct GeneratedOrder {
    private(set) var patterns: [String] = []

    private let given: [String]
    /// For each pattern those that lie within it.
    private var within: [[Int]]
    private var isPlaced: [Bool]

    /// Whether the budget sufficed; otherwise the order means nothing.
    let isComplete: Bool

    init(_ given: [String], exclusions: [String], budget: WorkBudget = WorkBudget()) {
        let cover = RuleSubsumption(variables: .none, budget: budget)
        let excluding = exclusions.map { cover.prepared(AppleRule(path: $0)) }
        var given: [String] = given
        var rules = given.map { cover.prepared(AppleRule(path: $0)) }
        let kept = rules.indices.filter { index in !excluding.contains { cover.covers($0, rules[index]) } }
        (given, rules) = (kept.map { given[$0] }, kept.map { rules[$0] })
        self.given = given
        within = Array(repeating: [], count: given.count)
        isPlaced = Array(repeating: false, count: given.count)

        // Only patterns with a wildcard hold others, and only those that begin like them.
        var byBeginning: [Substring: [Int]] = [:]
        for (index, pattern) in given.enumerated() where pattern.utf8.contains(where: Self.isWildcard) {
            byBeginning[Self.beginning(pattern), default: []].append(index)
        }
        let lengths = Set(byBeginning.keys.map(\.utf8.count)).sorted()
        for (index, pattern) in given.enumerated() where !budget.isExhausted {
            for length in lengths where budget.spend(min(length, pattern.utf8.count) + WorkBudget.Price.small) {
                guard let end = pattern.utf8.index(pattern.startIndex, offsetBy: length, limitedBy: pattern.endIndex)
                else { continue }
                for wider in byBeginning[pattern[..<end]] ?? [] where wider != index {
                    if cover.covers(rules[wider], rules[index]) { within[wider].append(index) }
                }
            }
        }
        isComplete = !budget.isExhausted
        // Of several that fit the same (`/*` and `/*/*` do) the first is enough.
        for (index, narrower) in within.enumerated() {
            for other in narrower where index < other && within[other].contains(index) { isPlaced[other] = true }
        }
        for index in given.indices { position(index) }
    }

    private mutating func position(_ index: Int) {
        guard !isPlaced[index] else { return }
        isPlaced[index] = true
        for narrower in within[index] { position(narrower) }
        patterns.append(given[index])
    }

    private static func isWildcard(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") }

    /// What stands before the first wildcard, without a slash at its end, which `/*` leaves open.
    private static func beginning(_ pattern: String) -> Substring {
        let text = pattern[..<(pattern.utf8.firstIndex(where: isWildcard) ?? pattern.endIndex)]
        return text.hasSuffix("/") ? text.dropLast() : text
    }
}
