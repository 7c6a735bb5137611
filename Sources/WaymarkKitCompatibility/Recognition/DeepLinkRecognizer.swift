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
