import WaymarkKit

/// Finds out which of the app's deep links a URL stands for, and makes it.
///
///     let recognizer = DeepLinkRecognizer(deepLinkTypes: [ShowPhoto.self, SelectTab.self])
///     switch recognizer.deepLink(matching: "shop://show/photo?name=cat") {
///     case let link as ShowPhoto: show(link.name)
///     default: break
///     }
///
/// A recogniser belongs to whoever made it: the types in it may be isolated to an actor.
public struct DeepLinkRecognizer {
    private let deepLinkTypes: [any DeepLink.Type]
    private let options: DeepLinkMatchingOptions

    /// A recogniser of these types.
    ///
    /// - Parameters:
    ///   - deepLinkTypes: in the order in which their templates are tried.
    ///   - options: how strictly; as the original library by default.
    public init(deepLinkTypes: [any DeepLink.Type], options: DeepLinkMatchingOptions = .strict) {
        self.deepLinkTypes = deepLinkTypes
        self.options = options
    }

    /// Makes the deep link of the first type whose template matches; nil where none does.
    ///
    /// - Parameter url: a text, a `DeepLinkURL` or Foundation's `URL`.
    public func deepLink(matching url: some DeepLinkURLConvertible) -> (any DeepLink)? {
        let plain = url.deepLinkURL.separatingServiceParameters().url
        for type in deepLinkTypes {
            if let values = type.template.values(inPlain: plain, options: options) { return type.init(values: values) }
        }
        return nil
    }
}

/// A value of the app that is made from a URL: a template says which URLs, an initialiser takes what was found in them.
///
///     struct ShowPhoto: DeepLink {
///         static let template = DeepLinkTemplate()
///             .term("show").term("photo")
///             .queryStringParameters([.requiredString(named: "name")])
///
///         let name: String
///
///         init(values: DeepLinkValues) {
///             name = values.query["name"] as! String
///         }
///     }
public protocol DeepLink {
    /// Which URLs the value is made from, and what is taken out of them. It should give the same template every time.
    static var template: DeepLinkTemplate { get }

    /// Makes the value. Every name of the template's path and every required parameter is there, converted to its type.
    init(values: DeepLinkValues)
}

/// How strictly templates are compared with URLs. The default is the behaviour of the original library.
public struct DeepLinkMatchingOptions: Sendable, Hashable {
    /// What becomes of the host of a web link (`http` or `https`).
    public enum WebHost: Sendable, Hashable {
        /// It is the first part of the path, as for any other scheme.
        case isFirstPart
        /// It is left out: `https://go.example.com/show/photo` has the parts of `shop://show/photo`.
        case isLeftOut
        /// It is left out and must be one of these, compared whole and without regard to case; a web link of any other host
        /// matches nothing.
        case isOneOf(Set<String>)
    }

    /// Whether a URL may have a query although the template declares none (`utm_source` and the like). Without it such a
    /// URL does not match. A template that declares at least one parameter ignores the others in any case.
    public var toleratesUndeclaredQuery: Bool
    /// What becomes of the host of a web link.
    public var webHost: WebHost

    /// Options one by one; what is left out is as in the original library.
    public init(toleratesUndeclaredQuery: Bool = false, webHost: WebHost = .isFirstPart) {
        self.toleratesUndeclaredQuery = toleratesUndeclaredQuery
        self.webHost = webHost
    }

    /// As the original library: no undeclared query, the host is the first part.
    public static let strict = DeepLinkMatchingOptions()

    /// For universal links: an undeclared query is tolerated, the host of a web link is left out.
    public static let universalLinks = DeepLinkMatchingOptions(toleratesUndeclaredQuery: true, webHost: .isLeftOut)
}

/// What a template found in a URL, or what it is filled with to print one.
public struct DeepLinkValues: Sendable {
    /// The values of the path by the names in the template: `Int`, `Double`, `Bool` or `String`, as the template says.
    public let path: [String: any Sendable]
    /// The values of the query by the names in the template, of the types that it says. An optional parameter that is
    /// absent, or that does not convert, has no key.
    public let query: [String: any Sendable]
    /// What stands behind `#`, as written, not decoded; nil without a `#`.
    public let fragment: String?

    /// Values to print a URL from.
    public init(
        path: [String: any Sendable] = [:], query: [String: any Sendable] = [:], fragment: String? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
    }
}
