import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// A shop with everything, and links of it.
enum Samples {
    static let now = Timestamp(seconds: 1_795_255_200)

    static func application(
        with apps: AssociatedApps = AssociatedApps(), _ change: (inout ApplicationRequest) -> Void = { _ in }
    ) throws -> Application {
        var draft = ApplicationRequest()
        draft.id = "shop"
        draft.name = "Shop"
        draft.domains = ["go.example.com"]
        draft.baseURL = "https://go.example.com"
        draft.ios = ApplicationRequest.IOS(urlScheme: "shop", appStoreID: "123456789")
        draft.android = ApplicationRequest.Android(package: "com.example.shop", urlScheme: "shop")
        draft.webBaseURL = "https://shop.example.com"
        draft.templates = [
            ApplicationRequest.Template(
                name: "product", route: "products/:product_id",
                urls: [
                    "web": URLEntryRequest("https://shop.example.com/products/:product_id"),
                    "ios": URLEntryRequest("shop://products/:product_id", fallback: "store"),
                    "android": URLEntryRequest("shop://products/:product_id", fallback: "store"),
                ])
        ]
        change(&draft)
        switch draft.validate(with: apps) {
        case .valid(let application): return application
        case .invalid(let problems): throw Refused(problems: problems)
        }
    }

    static func productDraft(_ change: (inout LinkRequest) -> Void = { _ in }) -> LinkRequest {
        var draft = LinkRequest()
        draft.route = "products/:product_id"
        draft.routeParameters = ["product_id": "42"]
        change(&draft)
        return draft
    }

    static func draft(urls: [String: URLEntryRequest]) -> LinkRequest {
        var draft = LinkRequest()
        draft.urls = urls
        return draft
    }

    static func link(
        _ draft: LinkRequest, from origin: LinkOrigin = LinkOrigin(), of application: Application,
        hasMetadata: Bool = false
    ) throws -> Link {
        switch draft.validate(for: application, from: origin) {
        case .valid(let valid):
            return Link(
                id: LinkID(rawValue: 7), application: application.id,
                domain: try #require(HostName("go.example.com")), slug: try #require(Slug("Ab3dE9x")),
                content: valid.content, hasMetadata: hasMetadata, createdAt: now, updatedAt: now)
        case .invalid(let problems): throw Refused(problems: problems)
        }
    }

    static func text(_ value: String) -> String { value }

    struct Refused: Error, CustomStringConvertible {
        var problems: [FieldProblem]
        var description: String { problems.map { "\($0.field): \($0.problem)" }.joined(separator: "; ") }
    }
}

extension Validated {
    var problems: [FieldProblem] {
        if case .invalid(let problems) = self { problems } else { [] }
    }
    var fields: [String] { problems.map(\.field) }
}

/// Repeats exactly: SplitMix64.
struct RepeatableRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
