/// A view that a route asks for.
public enum MobileDeepLinkingView: Sendable, Hashable {
    /// From a storyboard, by its identifier there. The class is what the route names besides, or nil.
    case storyboard(name: String, identifier: String, className: String?)
    /// From a nib.
    case nib(name: String, className: String)
    /// Made by its class alone.
    case code(className: String)

    /// The view's class; nil where only a storyboard knows it.
    public var className: String? {
        switch self {
        case .storyboard(_, _, let className): className
        case .nib(_, let className), .code(let className): className
        }
    }
}
