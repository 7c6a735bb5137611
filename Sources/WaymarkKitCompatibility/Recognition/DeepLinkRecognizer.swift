import WaymarkKit

/// Finds the app's deep link that matches a URL, and creates it.
///
///     let recognizer = DeepLinkRecognizer(deepLinkTypes: [ShowPhoto.self, SelectTab.self])
///     switch recognizer.deepLink(matching: "shop://show/photo?name=cat") {
///     case let link as ShowPhoto: show(link.name)
///     default: break
///     }
///
/// A recogniser is not `Sendable`, because its types may be isolated to an actor.
public struct DeepLinkRecognizer {
    private let deepLinkTypes: [any DeepLink.Type]
    private let options: DeepLinkMatchingOptions

    /// Creates a recogniser for these types.
    ///
    /// - Parameters:
    ///   - deepLinkTypes: the types, in the order their templates are tried.
    ///   - options: how strictly URLs are matched. Default: as in the original library.
    public init(deepLinkTypes: [any DeepLink.Type], options: DeepLinkMatchingOptions = .strict) {
        self.deepLinkTypes = deepLinkTypes
        self.options = options
    }

    /// Creates the deep link of the first type with a matching template; nil if none matches.
    ///
    /// - Parameter url: a string, a `DeepLinkURL` or Foundation's `URL`.
    public func deepLink(matching url: some DeepLinkURLConvertible) -> (any DeepLink)? {
        let plain = url.deepLinkURL.separatingServiceParameters().url
        for type in deepLinkTypes {
            if let values = type.template.values(inPlain: plain, options: options) { return type.init(values: values) }
        }
        return nil
    }
}

/// A value of the app that is created from a URL: the template defines the URLs, and the initialiser receives the
/// values found in them.
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
    /// The URLs that match and the values extracted from them. It should return the same template every time.
    static var template: DeepLinkTemplate { get }

    /// Creates the value. All names of the template's path and all required parameters are present, converted to
    /// their types.
    init(values: DeepLinkValues)
}

/// How strictly templates are matched with URLs. The default is the behaviour of the original library.
public struct DeepLinkMatchingOptions: Sendable, Hashable {
    /// How the host of a web link (`http` or `https`) is treated.
    public enum WebHost: Sendable, Hashable {
        /// The host is the first part of the path, as for any other scheme.
        case isFirstPart
        /// The host is ignored: `https://go.example.com/show/photo` has the same parts as `shop://show/photo`.
        case isLeftOut
        /// The host is ignored but must be one of these, compared in full, ignoring case; a web link of any other
        /// host does not match.
        case isOneOf(Set<String>)
    }

    /// Whether a URL may have a query if the template declares no parameters (`utm_source` and the like). If false,
    /// such a URL does not match. A template that declares at least one parameter always ignores undeclared ones.
    public var toleratesUndeclaredQuery: Bool
    /// How the host of a web link is treated.
    public var webHost: WebHost

    /// Creates options; omitted arguments are as in the original library.
    public init(toleratesUndeclaredQuery: Bool = false, webHost: WebHost = .isFirstPart) {
        self.toleratesUndeclaredQuery = toleratesUndeclaredQuery
        self.webHost = webHost
    }

    /// The original library's behaviour: no undeclared query, and the host is the first part.
    public static let strict = DeepLinkMatchingOptions()

    /// For universal links: an undeclared query is allowed, and the host of a web link is ignored.
    public static let universalLinks = DeepLinkMatchingOptions(toleratesUndeclaredQuery: true, webHost: .isLeftOut)
}

/// The values found in a URL, or the values to print a URL from.
public struct DeepLinkValues: Sendable {
    /// The values of the path by name: `Int`, `Double`, `Bool` or `String`, as declared in the template.
    public let path: [String: any Sendable]
    /// The values of the query by name, with the declared types. An optional parameter that is absent, or that can't
    /// be converted, has no key.
    public let query: [String: any Sendable]
    /// The text after `#` as written, not decoded; nil without a `#`.
    public let fragment: String?

    /// Creates values to print a URL from.
    public init(
        path: [String: any Sendable] = [:], query: [String: any Sendable] = [:], fragment: String? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
    }
}
