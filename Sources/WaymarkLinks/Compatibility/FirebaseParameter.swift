import WaymarkBytes

/// A parameter of a Firebase Dynamic Link, as named in long links and Google's exports.
package enum FirebaseParameter: String, CaseIterable, Sendable {
    case link, apn, al, afl, amv, ibi, ifl, ius, ipfl, ipbi, isi, imv, efr, ofl, st, sd, si
    case utmSource = "utm_source"
    case utmMedium = "utm_medium"
    case utmCampaign = "utm_campaign"
    case utmTerm = "utm_term"
    case utmContent = "utm_content"
    case gclid, at, ct, mt, pt

    /// Its position in the order of a link's parameters.
    fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether its value is text for people, in which a query's plus sign is a space. In URLs it is literal.
    var isText: Bool {
        switch self {
        case .st, .sd, .utmSource, .utmMedium, .utmCampaign, .utmTerm, .utmContent: true
        default: false
        }
    }

    /// Parameters that Firebase itself added to URLs on the way to the app; they are not part of the link.
    package static let appended: Set<String> = [
        "_icp", "_imcp", "_cpt", "_cpb", "_fpb", "_iumenbl", "_iumchkactval", "_plt", "_uit", "_osl", "cid",
    ]

    /// Parameters of clicks that are not forwarded.
    static let notForwarded = appended.union(["d"])
}

/// The parameters of one Firebase Dynamic Link in a fixed order; an empty value is the same as none.
package struct FirebaseParameters: Sendable, Equatable {
    package private(set) var entries: [Entry] = []

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

    // A search is cheaper than hashing: a link has few parameters.
    package subscript(name: FirebaseParameter) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            let position = name.position
            let index = entries.firstIndex { $0.name.position >= position } ?? entries.endIndex
            if index < entries.endIndex, entries[index].name == name { entries.remove(at: index) }
            if let newValue, !newValue.isEmpty { entries.insert(Entry(name: name, value: newValue), at: index) }
        }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The query of a long link, with everything except unreserved characters encoded: iOS drops a pair whose value
    /// contains `=`. Equal parameters give equal text.
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

/// The parsed query of a long link.
package struct FirebaseQuery: Sendable, Equatable {
    package private(set) var parameters = FirebaseParameters()
    /// `d=1`: the response is a page that explains the link.
    package private(set) var isPreview = false
    package private(set) var warnings: [FirebaseWarning] = []

    /// - Parameter raw: without `?`. The first of duplicate names wins.
    package init(_ raw: String) {
        var seen: [FirebaseParameter] = []
        for pair in raw.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = PercentEncoding.decodeTextLeniently(pair[..<equals], plusIsSpace: true)
            let encoded = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            if let parameter = FirebaseParameter(rawValue: name) {
                guard !seen.contains(parameter) else { continue }
                seen.append(parameter)
                let bytes = PercentEncoding.decodeLeniently(encoded, plusIsSpace: parameter.isText)
                parameters[parameter] = String(decoding: bytes, as: UTF8.self)
            } else {
                note(name, PercentEncoding.decodeTextLeniently(encoded, plusIsSpace: true))
            }
        }
    }

    /// Maximum number of unknown parameters that are listed.
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

    /// Whether a query belongs to a long link: it has the parameter `link`.
    ///
    /// Not generic: other targets would call it without specialization, at hundreds of instructions a byte.
    package static func isLongLink(_ query: String) -> Bool {
        let (bytes, name) = (query.utf8.span, "link=".utf8.span)
        // How many bytes of the name are read; -1 behind another name.
        var matched = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&") {
                matched = 0
            } else if matched >= 0 {
                matched = byte == name[matched] ? matched + 1 : -1
                if matched == name.count { return true }
            }
        }
        return false
    }
}
