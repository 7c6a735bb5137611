import WaymarkKit

extension DeepLinkTemplate {
    /// What a piece of a URL is converted to.
    enum ValueType: Sendable, Hashable {
        case int, double, bool, string

        /// The text as a value, by the rules of the type's own initialiser; nil where it is none.
        ///
        /// - Parameter text: decoded for the path; for the query as written, because a number needs no escapes and only
        ///   strings are decoded there.
        func value(of text: String) -> (any Sendable)? {
            switch self {
            case .int: Int(text)
            case .double: Double(text)
            case .bool: Bool(text)
            case .string: text
            }
        }

        /// The value as it stands in a URL; nil where it is of another type.
        func text(of value: any Sendable) -> String? {
            switch self {
            case .int: (value as? Int)?.description
            case .double: (value as? Double)?.description
            case .bool: (value as? Bool)?.description
            case .string: (value as? String).map { PercentEncoding.encoded($0) }
            }
        }
    }
}
