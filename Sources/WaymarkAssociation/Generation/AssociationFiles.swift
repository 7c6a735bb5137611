import WaymarkBytes

/// The bytes of a host's association files, made once for every change of an application and then only copied out.
package struct AssociationFiles: Hashable, Sendable {
    /// `apple-app-site-association`; nil if nothing is configured for it, which is served as 404.
    package let apple: [UInt8]?
    /// `assetlinks.json`; nil if nothing is configured for it, which is served as 404.
    package let assetLinks: [UInt8]?
    /// The files that exceed `AppleAppSiteAssociation.sizeLimit` and are nil for that reason: the change must be
    /// rejected. Always empty for a source from `AssociationSource.read`, but not for several merged sources.
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

    /// Creates the files of a host shared by several applications, in their order.
    package init(merging sources: [AssociationSource]) {
        self.init(AssociationSource(merging: sources))
    }

    private static func tooLarge(field: String, limit: Int) -> AssociationProblem {
        AssociationProblem(field: field, problem: "makes an association file of more than the \(limit) bytes allowed")
    }
}

/// The rules of an app that configures none: excludes the service's own paths, then includes the routes of the
/// application's templates, or everything if it has no templates. Every rule is reachable.
enum GeneratedComponents {
    /// Paths that must open in a browser even if the app is installed: built-in pages, three versions of the API,
    /// link previews, and QR codes.
    static let exclusions = ["/_/*", "/api/*", "/v1/*", "/v2/*", "/*+", "/*/qr.*"]

    /// - Parameter routes: such as `products/:product_id`, in the order of the templates. The order is kept, except
    ///   for routes that an earlier one would hide. Routes within an exclusion open nothing and are omitted. If there
    ///   are too many to compare in pairs, they keep their order: they all open the app, so the order only affects
    ///   whether each is reachable.
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

    /// The path pattern that matches the route with any values: `/products/*`. It matches more than that, because
    /// Apple's `*` also matches `/` and there is no pattern for one segment.
    static func pattern(route: String) -> String {
        route.split(separator: "/").map { "/" + pattern(segment: $0) }.joined().nonEmpty ?? "/"
    }

    /// Visible ASCII that must be encoded in a path (RFC 3986, section 3.3), except characters handled separately.
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
                // After a "?", it would look like a query written into a path.
                text += "?"
            case UInt8(ascii: "*"), UInt8(ascii: "$"):
                // They have a meaning in patterns and can't be escaped; "any one character" is the narrowest
                // alternative.
                text += "?"
            case 0x21...0x7E where byte != UInt8(ascii: "?") && !alwaysEncoded.contains(byte):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                // URLs are compared as written, that is, encoded.
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

/// Sorts patterns so that each is reachable: patterns covered by another are placed before it, and excluded ones are
/// omitted. The order is otherwise unchanged.
struct GeneratedOrder {
    private(set) var patterns: [String] = []

    private let given: [String]
    /// For each pattern, the patterns that it covers.
    private var within: [[Int]]
    private var isPlaced: [Bool]

    /// Whether the budget was sufficient; otherwise the order is meaningless.
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

        // Only patterns with a wildcard cover others, and only those with the same start.
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
        // Of several equivalent patterns (such as `/*` and `/*/*`), only the first is kept.
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

    /// The text before the first wildcard, without a trailing slash, which `/*` makes optional.
    private static func beginning(_ pattern: String) -> Substring {
        let text = pattern[..<(pattern.utf8.firstIndex(where: isWildcard) ?? pattern.endIndex)]
        return text.hasSuffix("/") ? text.dropLast() : text
    }
}
