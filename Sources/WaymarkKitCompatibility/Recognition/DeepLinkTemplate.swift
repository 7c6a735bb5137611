import WaymarkKit

/// Which URLs a deep link is made from: constant terms and typed values of the path, in order, and typed parameters of the
/// query, in any order.
///
/// Templates are values: each call gives a new one that goes on where the other ended. The same template reads values out
/// of a URL (`values(in:options:)`) and prints a URL from values (`url(filledWith:scheme:host:)`).
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

    /// A template without parts: it fits a URL that has neither host nor path nor query.
    public init() {
        self.init(pathParts: [], parameters: [])
    }

    /// Goes on with a part of the path that must be this text, case included.
    public func term(_ symbol: String) -> DeepLinkTemplate {
        appending(.term(symbol))
    }

    /// Goes on with a part of the path that may be any text; it is the `String` of that name in `DeepLinkValues.path`.
    public func string(named name: String) -> DeepLinkTemplate {
        appending(.value(.string, name: name))
    }

    /// Goes on with a part of the path that must be an integer as `Int` reads it (`42`, `-7`, `007`; not `4.0`).
    public func int(named name: String) -> DeepLinkTemplate {
        appending(.value(.int, name: name))
    }

    /// Goes on with a part of the path that must be a number as `Double` reads it (`3.14`, `42`, `1e3`, `inf`).
    public func double(named name: String) -> DeepLinkTemplate {
        appending(.value(.double, name: name))
    }

    /// Goes on with a part of the path that must be `true` or `false`.
    public func bool(named name: String) -> DeepLinkTemplate {
        appending(.value(.bool, name: name))
    }

    /// Says which parameters the query must and may have; a second call replaces the first.
    public func queryStringParameters(_ queryStringParameters: Set<QueryStringParameter>) -> DeepLinkTemplate {
        DeepLinkTemplate(pathParts: pathParts, parameters: queryStringParameters)
    }

    private func appending(_ part: PathPart) -> DeepLinkTemplate {
        DeepLinkTemplate(pathParts: pathParts + [part], parameters: parameters)
    }
}

extension DeepLinkTemplate {
    /// A parameter of the query. Two of the same name are equal, whatever their types: a set keeps the first.
    public enum QueryStringParameter: Sendable {
        /// An `Int` that must be there.
        case requiredInt(named: String)
        /// An `Int` that may be there.
        case optionalInt(named: String)
        /// `true` or `false`, which must be there.
        case requiredBool(named: String)
        /// `true` or `false`, which may be there.
        case optionalBool(named: String)
        /// A `Double` that must be there.
        case requiredDouble(named: String)
        /// A `Double` that may be there.
        case optionalDouble(named: String)
        /// A `String` that must be there; it may be empty.
        case requiredString(named: String)
        /// A `String` that may be there.
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
    /// Whether both have the same name.
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
