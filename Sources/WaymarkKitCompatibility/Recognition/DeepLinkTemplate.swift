import WaymarkBytes
import WaymarkKit

/// The URLs of a deep link: constant terms and typed values of the path, in order, and typed parameters of the query,
/// in any order.
///
/// Templates are values: each call returns a new one with the part appended. The same template reads values from a
/// URL (`values(in:options:)`) and prints a URL from values (`url(filledWith:scheme:host:)`).
public struct DeepLinkTemplate: Sendable, Hashable {
    enum PathPart: Sendable, Hashable {
        case term(String)
        case value(ValueType, name: String)
    }

    let pathParts: [PathPart]
    let parameters: Set<QueryStringParameter>

    private init(pathParts: [PathPart], parameters: Set<QueryStringParameter>) {
        self.pathParts = pathParts
        self.parameters = parameters
    }

    /// Creates a template without parts, which matches a URL without host, path and query.
    public init() {
        self.init(pathParts: [], parameters: [])
    }

    /// Appends a part of the path that must equal this text, including case.
    public func term(_ symbol: String) -> DeepLinkTemplate {
        appending(.term(symbol))
    }

    /// Appends a part of the path that may be any text; it is the `String` of that name in `DeepLinkValues.path`.
    public func string(named name: String) -> DeepLinkTemplate {
        appending(.value(.string, name: name))
    }

    /// Appends a part of the path that must be an integer as read by `Int` (`42`, `-7`, `007`; not `4.0`).
    public func int(named name: String) -> DeepLinkTemplate {
        appending(.value(.int, name: name))
    }

    /// Appends a part of the path that must be a number as read by `Double` (`3.14`, `42`, `1e3`, `inf`).
    public func double(named name: String) -> DeepLinkTemplate {
        appending(.value(.double, name: name))
    }

    /// Appends a part of the path that must be `true` or `false`.
    public func bool(named name: String) -> DeepLinkTemplate {
        appending(.value(.bool, name: name))
    }

    /// Declares the query's required and optional parameters; a second call replaces the first.
    public func queryStringParameters(_ queryStringParameters: Set<QueryStringParameter>) -> DeepLinkTemplate {
        DeepLinkTemplate(pathParts: pathParts, parameters: queryStringParameters)
    }

    private func appending(_ part: PathPart) -> DeepLinkTemplate {
        DeepLinkTemplate(pathParts: pathParts + [part], parameters: parameters)
    }
}

extension DeepLinkTemplate {
    /// A parameter of the query. Two with the same name are equal, whatever their types: a set keeps the first.
    public enum QueryStringParameter: Sendable {
        /// A required `Int`.
        case requiredInt(named: String)
        /// An optional `Int`.
        case optionalInt(named: String)
        /// A required `true` or `false`.
        case requiredBool(named: String)
        /// An optional `true` or `false`.
        case optionalBool(named: String)
        /// A required `Double`.
        case requiredDouble(named: String)
        /// An optional `Double`.
        case optionalDouble(named: String)
        /// A required `String`; it may be empty.
        case requiredString(named: String)
        /// An optional `String`.
        case optionalString(named: String)
    }
}

extension DeepLinkTemplate.QueryStringParameter {
    var name: String {
        switch self {
        case .requiredInt(let name), .optionalInt(let name), .requiredBool(let name), .optionalBool(let name),
            .requiredDouble(let name), .optionalDouble(let name), .requiredString(let name), .optionalString(let name):
            name
        }
    }

    var type: DeepLinkTemplate.ValueType {
        switch self {
        case .requiredInt, .optionalInt: .int
        case .requiredBool, .optionalBool: .bool
        case .requiredDouble, .optionalDouble: .double
        case .requiredString, .optionalString: .string
        }
    }

    var isRequired: Bool {
        switch self {
        case .requiredInt, .requiredBool, .requiredDouble, .requiredString: true
        case .optionalInt, .optionalBool, .optionalDouble, .optionalString: false
        }
    }
}

extension DeepLinkTemplate.QueryStringParameter: Hashable {
    /// Compares the names only.
    public static func == (
        left: DeepLinkTemplate.QueryStringParameter, right: DeepLinkTemplate.QueryStringParameter
    ) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension DeepLinkTemplate {
    /// The type that a part of a URL is converted to.
    enum ValueType: Sendable, Hashable {
        case int, double, bool, string

        /// The text as a value, by the rules of the type's own initialiser; nil if it is invalid.
        ///
        /// - Parameter text: decoded for the path; as written for the query, where only strings are decoded because
        ///   numbers need no escapes.
        func value(of text: String) -> (any Sendable)? {
            switch self {
            case .int: Int(text)
            case .double: Double(text)
            case .bool: Bool(text)
            case .string: text
            }
        }

        /// The value as it appears in a URL; nil if it has another type.
        func text(of value: any Sendable) -> String? {
            switch self {
            case .int: (value as? Int)?.description
            case .double: (value as? Double)?.description
            case .bool: (value as? Bool)?.description
            case .string: (value as? String).map { PercentEncoding.encode($0) }
            }
        }
    }
}
