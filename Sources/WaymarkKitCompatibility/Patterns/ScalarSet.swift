/// The set of Unicode scalars that match at one position of a pattern.
struct ScalarSet: Sendable, Equatable {
    /// A named class, defined by Unicode properties as in ICU's regular expressions.
    enum Class: Sendable, Equatable {
        /// `\d`: decimal digits of any script.
        case digit
        /// `\w`: letters, marks, decimal digits, connectors such as `_`, and the two joiners.
        case word
        /// `\s`: tab, line feed, form feed, carriage return, and separators.
        case space
        /// `\p{…}`: a general category by its short name (`Lu`), or a group of them by its letter (`L`).
        case category(String)

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            let properties = scalar.properties
            switch self {
            case .digit: return properties.generalCategory == .decimalNumber
            case .word:
                if properties.isAlphabetic || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
                switch properties.generalCategory {
                case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: return true
                default: return false
                }
            case .space:
                if scalar == "\t" || scalar == "\n" || scalar == "\u{C}" || scalar == "\r" { return true }
                switch properties.generalCategory {
                case .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
                default: return false
                }
            case .category(let name):
                return properties.generalCategory.shortName.hasPrefix(name)
            }
        }
    }

    private struct NamedClass: Sendable, Equatable {
        let named: Class
        let isNegated: Bool
    }

    /// Sorted and disjoint.
    private var ranges: [ClosedRange<UInt32>] = []
    private var classes: [NamedClass] = []
    var isNegated = false
    var ignoresCase = false

    init() {}

    init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
        var low = range.lowerBound.value
        var high = range.upperBound.value
        ranges.removeAll { other in
            guard other.lowerBound <= high, other.upperBound >= low else { return false }
            low = min(low, other.lowerBound)
            high = max(high, other.upperBound)
            return true
        }
        let index = ranges.firstIndex { $0.lowerBound > high } ?? ranges.endIndex
        ranges.insert(low...high, at: index)
    }

    mutating func insert(_ named: Class, isNegated: Bool = false) {
        classes.append(NamedClass(named: named, isNegated: isNegated))
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var isIn = holds(scalar)
        if !isIn, ignoresCase {
            let properties = scalar.properties
            isIn =
                Self.single(properties.lowercaseMapping).map(holds) == true
                || Self.single(properties.uppercaseMapping).map(holds) == true
        }
        return isIn != isNegated
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
        }
        if low < ranges.count, ranges[low].contains(scalar.value) { return true }
        return classes.contains { $0.named.contains(scalar) != $0.isNegated }
    }
}

extension Unicode.GeneralCategory {
    /// The abbreviation in Unicode's property value aliases.
    var shortName: String {
        switch self {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }

    static let shortNames: Set<String> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp", "C", "Cc", "Cf", "Cs", "Co", "Cn",
    ]
}
