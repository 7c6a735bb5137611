/// The devices that links are visited as.
package enum VisitDevice: String, CaseIterable, Sendable {
    case iphone, ipad, android, desktop

    package var userAgent: String {
        switch self {
        case .iphone:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
        case .ipad:
            "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
        case .android:
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
        case .desktop:
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
        }
    }

    /// The platforms whose URLs apply, most specific first.
    var lookupOrder: [String] {
        switch self {
        case .iphone: ["iphone", "ios", "web"]
        case .ipad: ["ipad", "ios", "web"]
        case .android: ["android", "web"]
        case .desktop: ["windows", "web"]
        }
    }
}
