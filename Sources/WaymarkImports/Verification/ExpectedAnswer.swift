/// Where a link leads on one visit according to its source.
enum ExpectedAnswer: Sendable, Equatable {
    /// A redirect.
    case web(String)
    /// The app is opened: by a page on Apple's devices, by an `intent:` URL on Android.
    case app(AppOpening)
    /// The app is opened, or its store.
    case appOrStore
    /// The source does not say: any answer is accepted that is not an error.
    case any

    struct AppOpening: Sendable, Equatable {
        /// A URL, or a path whose scheme is the app's; nil: any.
        var link: String?
        /// Of the URL on Apple's devices that has the link as Firebase's SDK reads it; nil: any.
        var scheme: String?
        /// On Android; nil: any.
        var package: String?
        /// Where visitors without the app get; nil: anywhere.
        var fallback: String?
    }

    /// A web URL, or one that an app opens.
    init(_ url: String, fallback: String? = nil) {
        self = Self.isWeb(url) ? .web(url) : .app(AppOpening(link: url, fallback: fallback))
    }

    static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// For the report.
    var text: String {
        switch self {
        case .web(let url): url
        case .app(let opening):
            [opening.link ?? "the app", opening.fallback.map { "(else \($0))" }].compactMap { $0 }.joined(
                separator: " ")
        case .appOrStore: "the app or its store"
        case .any: ""
        }
    }
}
