import WaymarkBytes
package import WaymarkLinks

/// One question to the server: a link as one device.
package struct PlannedVisit: Sendable {
    package let row: Int
    package let device: VisitDevice
    /// The request's path, encoded.
    package let path: String
    private let link: ForeignLink
    private let slug: String

    init(_ row: SourceRow, slug: String, device: VisitDevice) {
        self.row = row.number
        self.device = device
        self.slug = slug
        link = row.link
        path = "/" + PercentEncoding.encode(slug, allowed: Self.pathCharacters)
    }

    /// The slug's own escapes stay as they are.
    private static let pathCharacters = ASCIISet(
        low: ASCIISet.url.low & ~ASCIISet("?#").low, high: ASCIISet.url.high & ~ASCIISet("[]").high)

    /// The report's line if the answer differs from the source; nil if it does not.
    package func difference(_ answer: VisitAnswer, base: String, now: Timestamp) -> VisitDifference? {
        let expected = link.expected(on: device)
        let comparison = AnswerComparison(link, slug: slug)
        let inactivity = link.inactivity(at: now)
        let found =
            inactivity.map { comparison.difference(answer, ofInactive: expected, because: $0) }
            ?? comparison.difference(answer, from: expected)
        guard let reason = found else { return nil }
        return VisitDifference(
            row: row, device: device, smartlink: base + path,
            expected: inactivity == nil ? expected.first?.text ?? "" : "",
            answered: answer.text,
            reason: link.refusal.map { "\(reason): \($0)" } ?? reason)
    }
}

/// A line of the report of `waymark links verify`.
package struct VisitDifference: Sendable, Equatable {
    package var row: Int
    /// Nil for a row that can't be visited.
    package var device: VisitDevice?
    package var smartlink: String
    package var expected: String
    package var answered: String
    package var reason: String

    package static let header = "row,platform,smartlink,expected,answered,reason\n"

    package func append(to bytes: inout [UInt8]) {
        CSVText.append(
            [
                String(row), device?.rawValue ?? "", SpreadsheetText.guarded(smartlink),
                SpreadsheetText.guarded(expected),
                SpreadsheetText.guarded(answered), SpreadsheetText.guarded(reason),
            ], to: &bytes)
    }
}

extension SourceRow {
    /// The report's line for a row without a slug; nil if there is one.
    package var missingSlug: VisitDifference? {
        guard slugs.isEmpty else { return nil }
        return VisitDifference(
            row: number, device: nil, smartlink: "", expected: "", answered: "",
            reason: link.refusal ?? "the row has no slug")
    }

    /// A visit of the link, and of each further slug, on each device; empty if the row has no slug.
    package var visits: [PlannedVisit] {
        slugs.flatMap { slug in VisitDevice.allCases.map { PlannedVisit(self, slug: slug, device: $0) } }
    }

    /// Each once.
    private var slugs: [String] {
        var seen: Set<String> = []
        return ([link.address] + link.aliases).map(\.slug).filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
