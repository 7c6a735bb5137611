import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// What a browser is shown where a link leads nowhere.
enum StatePage {
    /// A page in words for the person who followed the link; the problem's own words are for developers.
    static func page(_ type: ProblemType) -> Page {
        let (title, sentence) = words(type)
        return Page(title: title, content: "<h1>\(title)</h1>\n<p class=\"soft\">\(sentence)</p>")
    }

    private static func words(_ type: ProblemType) -> (title: String, sentence: String) {
        switch type {
        case .linkExpired:
            (
                "This link has expired",
                "It led somewhere until a while ago. Whoever sent it to you may have a newer one."
            )
        case .linkExhausted:
            ("This link has been used up", "It could be opened a limited number of times, and that number is reached.")
        case .linkDisabled:
            ("This link is switched off", "Its owner has taken it out of use.")
        case .linkScheduled:
            ("This link does not work yet", "It starts to work at a later time. Please try again then.")
        case .storeUnavailable:
            ("One moment, please", "The service can't look this link up right now. Please try again in a minute.")
        case .rateLimited:
            ("One moment, please", "There were too many requests from your network. Please try again in a minute.")
        case .malformedRequest:
            ("This address can't be read", "There may be a typing error in it.")
        case .hostUnknown:
            ("Nothing is served here", "No links are set up for this address.")
        default:
            ("There is nothing here", "The link may be incomplete, or it has been removed.")
        }
    }
}

extension StatePage {
    /// The problem itself for programs, its page for people.
    static func response(_ problem: Problem, asJSON: Bool) -> Response {
        if asJSON { return .problem(problem, fields: varyFields) }
        var fields = varyFields
        if problem.status == 503 { fields.append(.retryAfter, "1" as StaticString) }
        let status = (400...599).contains(problem.status) ? Status(UInt16(problem.status)) : .internalServerError
        return .page(status, page(problem.known ?? .resourceUnknown), fields: fields)
    }

    private static let varyFields = HeaderBlock((.vary, "Accept"))
}
