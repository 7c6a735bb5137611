import Foundation
import WaymarkBytes

/// The parameters of a long link that is being built, by the names in its query.
struct LongLinkQuery {
    /// In the order in which they stand in the query.
    enum Name: String, CaseIterable {
        case link, apn, afl, amv, ibi, ifl, ius, ipfl, ipbi, isi, imv, ofl, efr, st, sd, si
        case source = "utm_source"
        case medium = "utm_medium"
        case campaign = "utm_campaign"
        case term = "utm_term"
        case content = "utm_content"
        case at, ct, pt
    }

    private var values: [Name: String] = [:]

    /// An empty text counts as none.
    subscript(name: Name) -> String? {
        get { values[name] }
        set { values[name] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    subscript(url name: Name) -> URL? {
        get { values[name].flatMap { URL(string: $0) } }
        set { self[name] = newValue?.absoluteString }
    }

    mutating func add(_ other: LongLinkQuery?) {
        guard let other else { return }
        values.merge(other.values) { _, new in new }
    }

    /// Without `?`. In values everything but letters and digits is percent-encoded.
    var text: String {
        Name.allCases.compactMap { name in
            values[name].map { name.rawValue + "=" + PercentEncoding.encode($0, allowed: .lettersAndDigits) }
        }
        .joined(separator: "&")
    }
}
