/// The rules of a robots.txt (RFC 9309) for this verifier: those of its group, else those of `*`.
struct RobotsRules: Sendable, Equatable {
    static let name = "waymark-verifier"
    /// Rules that are read of a file; bounds the work of each path.
    private static let limit = 500
    /// Of a pattern, in bytes.
    private static let patternLimit = 1_024

    private var rules: [(pattern: [UInt8], allows: Bool)] = []

    static let allowAll = RobotsRules()

    static func == (one: RobotsRules, other: RobotsRules) -> Bool {
        one.rules.count == other.rules.count
            && zip(one.rules, other.rules).allSatisfy { $0.pattern == $1.pattern && $0.allows == $1.allows }
    }

    private init() {}

    init(_ file: [UInt8]) {
        var own: [(pattern: [UInt8], allows: Bool)]?
        var others: [(pattern: [UInt8], allows: Bool)] = []
        var (isOwn, isOthers, isInAgents) = (false, false, false)
        for line in file.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let content = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
            let parts = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let value = parts[1].filter { $0 != " " && $0 != "\t" }
            switch parts[0].lowercased().filter({ $0 != " " && $0 != "\t" }) {
            case "user-agent":
                if !isInAgents { (isOwn, isOthers, isInAgents) = (false, false, true) }
                if value.lowercased() == Self.name {
                    isOwn = true
                    own = own ?? []
                }
                if value == "*" { isOthers = true }
            case let name where name == "allow" || name == "disallow":
                isInAgents = false
                guard !value.isEmpty, value.utf8.count <= Self.patternLimit else { continue }
                let rule = (pattern: Array(value.utf8), allows: name == "allow")
                if isOwn, own?.count ?? 0 < Self.limit { own?.append(rule) }
                if isOthers, others.count < Self.limit { others.append(rule) }
            default: continue
            }
        }
        rules = own ?? others
    }

    /// The longest pattern that fits decides; allowing wins a tie.
    func allows(_ path: String) -> Bool {
        let path = Array(path.utf8)
        var best = (length: -1, allows: true)
        for rule in rules where Self.fits(rule.pattern, path) {
            if rule.pattern.count > best.length || rule.pattern.count == best.length && rule.allows {
                best = (rule.pattern.count, rule.allows)
            }
        }
        return best.allows
    }

    /// `*` matches any bytes, a final `$` the end.
    private static func fits(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
        let isWhole = pattern.last == UInt8(ascii: "$")
        let pattern = isWhole ? pattern.dropLast() : pattern[...]
        var (at, place) = (0, pattern.startIndex)
        var star: (place: Int, at: Int)?
        while true {
            if place == pattern.endIndex {
                if !isWhole || at == path.count { return true }
            } else if pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
                continue
            } else if at < path.count, pattern[place] == path[at] {
                at += 1
                place += 1
                continue
            }
            guard let last = star, last.at < path.count else { return false }
            star = (last.place, last.at + 1)
            (place, at) = (last.place + 1, last.at + 1)
        }
    }
}
