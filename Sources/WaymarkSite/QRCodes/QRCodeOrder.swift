import WaymarkAPI
import WaymarkQRCode

/// What a picture of a QR code is to look like, as the query of its address asks for it.
struct QRCodeOrder: Sendable, Equatable {
    enum Format: Sendable, CaseIterable {
        case png, svg
    }

    let format: Format
    /// Pixels, one of `QRCode.sizes`.
    let size: Int
    /// Modules, one of `QRCode.margins`.
    let margin: Int

    /// Other parameters than `size` and `margin` are nobody's business, such as those that campaigns append.
    ///
    /// - Throws: a problem with both fields where both are wrong.
    init(_ format: Format, _ query: QueryString) throws(Problem) {
        var problems: [FieldProblem] = []
        self.format = format
        size = Self.number("size", of: query, within: QRCode.sizes, else: QRCode.defaultSize, &problems)
        margin = Self.number("margin", of: query, within: QRCode.margins, else: QRCode.defaultMargin, &problems)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
    }

    private static func number(
        _ name: String, of query: QueryString, within range: ClosedRange<Int>, else usual: Int,
        _ problems: inout [FieldProblem]
    ) -> Int {
        let given = query.all(name)
        guard let text = given.first else { return usual }
        // Digits alone: Int itself also reads a sign.
        if given.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        {
            return number
        }
        problems.append(
            FieldProblem(
                field: name,
                problem: "must be given once, as a whole number from \(range.lowerBound) to \(range.upperBound)"))
        return usual
    }
}
