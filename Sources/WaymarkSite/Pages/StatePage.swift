import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// The application that a page without a destination names.
struct PageOwner: Sendable {
    let application: Application
    let sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

    init(_ application: Application, sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]) {
        self.application = application
        self.sha256 = sha256
    }

    /// Nil if a host's links belong to several applications.
    init?(_ applications: [Application], sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]) {
        guard applications.count == 1, let application = applications.first else { return nil }
        self.init(application, sha256: sha256)
    }
}

/// The page for links without a destination: what is wrong, and the application's name and website where it is known.
enum StatePage {
    /// Has texts for visitors; the problem's own texts are for developers.
    static func page(_ type: ProblemType, _ language: PageLanguage, of owner: PageOwner? = nil) -> Page {
        page(message(type, language.texts), language, of: owner)
    }

    /// - Parameters:
    ///   - title: of the window; nil: the message's.
    ///   - further: follows the message.
    static func page(
        _ message: PageTexts.Message, _ language: PageLanguage, of owner: PageOwner? = nil, title: String? = nil,
        further: Markup = ""
    ) -> Page {
        let title = title ?? message.title
        guard let owner else {
            return Page(language: language, title: title, content: card(message, further: further))
        }
        let context = PageContext(
            language: language, application: owner.application, social: nil, sha256: owner.sha256)
        let website: Markup =
            owner.application.webBaseURL.map {
                """
                <div class="choices"><p><a class="button" href="\($0.text)">\(language.texts.visitWebsite)</a></p></div>
                """
            } ?? ""
        return context.page(
            title: title, content: card(message, brand: context.brand, website: website, further: further))
    }

    private static func card(
        _ message: PageTexts.Message, brand: Markup = "", website: Markup = "", further: Markup
    ) -> Markup {
        """
        <article class="card">
        \(brand)
        <h1>\(message.title)</h1>
        <p class="soft">\(message.text)</p>
        \(website)
        \(further)
        </article>
        """
    }

    private static func message(_ type: ProblemType, _ texts: PageTexts) -> PageTexts.Message {
        switch type {
        case .linkExpired: texts.expired
        case .linkExhausted: texts.exhausted
        case .linkDisabled: texts.disabled
        case .linkScheduled: texts.scheduled
        case .storeUnavailable, .internalError: texts.unavailable
        case .rateLimited: texts.tooManyRequests
        case .malformedRequest: texts.malformed
        case .hostUnknown: texts.unknownHost
        default: texts.notFound
        }
    }
}

extension StatePage {
    static func response(_ problem: Problem, as format: ProblemFormat, of owner: PageOwner? = nil) -> Response {
        switch format {
        case .json: return .problem(problem, fields: HeaderFields((.vary, "Accept")))
        case .page(let language):
            var fields = varyFields
            if problem.status == 503 { fields.append(.retryAfter, "1" as StaticString) }
            let status = (400...599).contains(problem.status) ? Status(UInt16(problem.status)) : .internalServerError
            return .page(status, page(problem.known ?? .resourceUnknown, language, of: owner), fields: fields)
        }
    }

    static let varyFields = HeaderFields((.vary, "Accept, Accept-Language"))
}

/// The format of a response for a link without a destination.
enum ProblemFormat: Sendable, Equatable {
    /// For clients that request it.
    case json
    /// For people.
    case page(PageLanguage)

    init(_ head: RequestHead, _ bytes: Span<UInt8>) {
        self = MediaType.prefersJSON(head, bytes) ? .json : .page(PageLanguage(head, bytes))
    }

    var isJSON: Bool { self == .json }
}
