/// A parameter of a Firebase Dynamic Link, as long links and Google's exports name it.
package enum FirebaseParameter: String, CaseIterable, Sendable {
    case link, apn, al, afl, amv, ibi, ifl, ius, ipfl, ipbi, isi, imv, efr, ofl, st, sd, si
    case utmSource = "utm_source"
    case utmMedium = "utm_medium"
    case utmCampaign = "utm_campaign"
    case utmTerm = "utm_term"
    case utmContent = "utm_content"
    case gclid, at, ct, mt, pt

    /// Whether its value is a text for people, where a plus sign in a query stands for a space. In a URL it is itself.
    var isText: Bool {
        switch self {
        case .st, .sd, .utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent: true
        default: false
        }
    }

    /// What Firebase itself added to URLs on the way to the app. It says nothing about the link.
    package static let appended: Set<String> = [
        "_icp", "_imcp", "_cpt", "_cpb", "_fpb", "_iumenbl", "_iumchkactval", "_plt", "_uit", "_osl", "cid",
    ]

    /// What clicks bring that no destination gets.
    static let notForwarded = appended.union(["d"])
}

/// The parameters of one Firebase Dynamic Link, in one order; an empty value is the same as none.
package struct FirebaseParameters: Sendable, Equatable {
    package private(set) var entries: [Entry] = []
    /// Of a long link: its own URL, which takes the place of domain and slug. It is never stored.
    package var address: String?

    package struct Entry: Sendable, Equatable {
        package let name: FirebaseParameter
        package let value: String
    }

    package init() {}

    package init(_ values: [FirebaseParameter: String]) {
        for name in FirebaseParameter.allCases {
            if let value = values[name], !value.isEmpty { entries.append(Entry(name: name, value: value)) }
        }
    }

    package subscript(name: FirebaseParameter) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            var values = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
            values[name] = newValue
            entries = FirebaseParameters(values).entries
        }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// As a long link's query, everything but unreserved characters encoded: iOS drops a pair whose value has an `=`. Equal
    /// parameters give equal texts.
    package var query: String {
        var bytes: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "&")) }
            bytes.append(contentsOf: entry.name.rawValue.utf8)
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.append(part: entry.value.utf8, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A long link's query, read.
package struct FirebaseQuery: Sendable, Equatable {
    package private(set) var parameters = FirebaseParameters()
    /// `d=1`: the answer is a page that explains the link.
    package private(set) var isPreview = false
    package private(set) var warnings: [FirebaseWarning] = []

    /// - Parameter raw: without `?`. Of two equal names the first counts.
    package init(_ raw: String) {
        var values: [FirebaseParameter: String] = [:]
        for pair in raw.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = PercentEncoding.text(pair[..<equals])
            let encoded = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            if let parameter = FirebaseParameter(rawValue: name) {
                guard values[parameter] == nil else { continue }
                let bytes = PercentEncoding.decode(encoded, plusIsSpace: parameter.isText)
                values[parameter] = String(decoding: bytes, as: UTF8.self)
            } else {
                note(name, PercentEncoding.text(encoded))
            }
        }
        parameters = FirebaseParameters(values)
    }

    /// How many unknown parameters are named.
    private static let unknownLimit = 20

    private mutating func note(_ name: String, _ value: String) {
        switch name {
        case "d":
            isPreview = value == "1"
            if value != "1", value != "0" {
                warnings.append(FirebaseWarning(.badDebugParam, "Parameter d is not 0 or 1."))
            }
        case "ad":
            if value != "1", value != "0" {
                warnings.append(FirebaseWarning(.badAdParam, "Parameter ad is not 0 or 1."))
            }
        case _ where FirebaseParameter.appended.contains(name) || ClickQuery.isReserved(name): break
        default:
            guard warnings.count < Self.unknownLimit else { break }
            warnings.append(
                FirebaseWarning(.unrecognizedParam, "Parameter \(name.shownAsName) is unknown and was ignored."))
        }
    }

    /// Whether a query is a long link's: it has the parameter `link`.
    package static func isLongLink(_ raw: some Collection<UInt8>) -> Bool {
        var rest = raw[...]
        while true {
            if rest.starts(with: "link=".utf8) { return true }
            guard let next = rest.firstIndex(of: UInt8(ascii: "&")) else { return false }
            rest = rest[rest.index(after: next)...]
        }
    }
}
