import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// The page for links without a destination.
enum StatePage {
    /// Has texts for visitors; the problem's own texts are for developers.
    static func page(_ type: ProblemType, _ language: PageLanguage) -> Page {
        let message = message(type, language.texts)
        return page(message, language)
    }

    static func page(_ message: PageTexts.Message, _ language: PageLanguage) -> Page {
        Page(
            language: language, title: message.title,
            content: """
                <article class="card">
                <h1>\(message.title)</h1>
                <p class="soft">\(message.text)</p>
                </article>
                """)
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
    static func response(_ problem: Problem, as format: ProblemFormat) -> Response {
        switch format {
        case .json: return .problem(problem, fields: HeaderFields((.vary, "Accept")))
        case .page(let language):
            var fields = varyFields
            if problem.status == 503 { fields.append(.retryAfter, "1" as StaticString) }
            let status = (400...599).contains(problem.status) ? Status(UInt16(problem.status)) : .internalServerError
            return .page(status, page(problem.known ?? .resourceUnknown, language), fields: fields)
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
