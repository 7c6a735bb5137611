import WaymarkAPI

/// The requested appearance of a QR code, from the query of its URL.
struct QRCodeOrder: Sendable, Equatable {
    enum Format: Sendable, CaseIterable {
        case png, svg
    }

    let format: Format
    /// In pixels, one of `QRCode.sizes`.
    let size: Int
    /// In modules, one of `QRCode.margins`.
    let margin: Int
    /// Nil if nothing is asked for.
    let errorCorrection: ErrorCorrection?
    /// Whether the application's logo is in the picture.
    let hasLogo: Bool
    let palette: QRCodePalette

    static let parameters = ["size", "margin", "level", "dark", "light", "logo"]

    /// The names of the levels in ISO/IEC 18004.
    private static let levels: [String: ErrorCorrection] = ["L": .low, "M": .medium, "Q": .quartile, "H": .high]

    /// Parameters other than `parameters`, such as those of campaigns, are ignored.
    ///
    /// - Throws: a problem with all invalid fields.
    init(_ format: Format, _ query: QueryString) throws(Problem) {
        var problems: [FieldProblem] = []
        self.format = format
        size = Self.number("size", of: query, within: QRCode.sizes, else: QRCode.defaultSize, &problems)
        margin = Self.number("margin", of: query, within: QRCode.margins, else: QRCode.defaultMargin, &problems)
        errorCorrection = Self.value("level", of: query, else: nil, &problems, "as L, M, Q or H") {
            Self.levels[$0].map { Optional($0) }
        }
        hasLogo = Self.value("logo", of: query, else: true, &problems, "as true or false") {
            ["true": true, "false": false][$0]
        }
        let usual = QRCodePalette.blackOnWhite
        let dark = Self.color("dark", of: query, else: usual.dark, &problems)
        let light = Self.color("light", of: query, else: usual.light, &problems)
        if let palette = QRCodePalette(dark: dark, light: light) {
            self.palette = palette
        } else {
            palette = usual
            let contrast = Int((QRCodePalette.contrast(of: dark, on: light) * 100).rounded())
            let least = Int(QRCodePalette.leastContrast * 100)
            problems.append(
                FieldProblem(
                    field: query.all("dark").isEmpty ? "light" : "dark",
                    problem:
                        "must leave readers a contrast of \(least) % between dark and light; this leaves \(contrast) %")
            )
        }
        guard problems.isEmpty else { throw Problem(invalid: problems) }
    }

    private static func number(
        _ name: String, of query: QueryString, within range: ClosedRange<Int>, else usual: Int,
        _ problems: inout [FieldProblem]
    ) -> Int {
        value(
            name, of: query, else: usual, &problems, "as a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            // Only digits, because `Int` also accepts a sign.
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    private static func color(
        _ name: String, of query: QueryString, else usual: QRCodeColor, _ problems: inout [FieldProblem]
    ) -> QRCodeColor {
        value(
            name, of: query, else: usual, &problems, "as RRGGBB or RGB in hexadecimal digits",
            read: QRCodeColor.init(hexadecimal:))
    }

    private static func value<Value>(
        _ name: String, of query: QueryString, else usual: Value, _ problems: inout [FieldProblem], _ form: String,
        read: (String) -> Value?
    ) -> Value {
        let given = query.all(name)
        guard let text = given.first else { return usual }
        if given.count == 1, let value = read(text) { return value }
        problems.append(FieldProblem(field: name, problem: "must be given once, \(form)"))
        return usual
    }
}
