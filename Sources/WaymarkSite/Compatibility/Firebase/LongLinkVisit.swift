import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A visit of a long link, of Firebase or of Branch: decided and answered like that of any other link. No link is stored, and no
/// limit can apply; its clicks are recorded under a number of the application.
enum LongLinkVisit {
    enum Outcome {
        /// Nothing is decided.
        case response(Response)
        /// - Parameter number: under which clicks are recorded, if they are.
        case decided(DecidedVisit, CachedLink, number: LinkID?)
    }

    static func outcome(
        of visit: Visit, _ lookup: LongLinkLookup, _ site: Site, clickID mint: ClickIDGenerator
    ) -> Outcome {
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return .response(VisitResponse.badQuery(as: visit.problemFormat))
        }
        switch lookup {
        case .notServed: return .response(VisitResponse.unknownHost(as: visit.problemFormat))
        case .invalid(_, let problems): return .response(invalid(problems, as: visit.problemFormat))
        case .found(let cached, let query):
            let visit = self.visit(visit, of: query)
            guard let decided = DecidedVisit(visit, cached, atOpenHost: false, site, clickID: mint) else {
                return .response(VisitResponse.storeAway(as: visit.problemFormat))
            }
            return .decided(decided, cached, number: query.number)
        }
    }

    /// - Parameter count: called for a click of a person.
    static func response(
        to outcome: Outcome, counting count: () -> Void, recording record: (Click) -> Void
    ) -> Response {
        switch outcome {
        case .response(let response): return response
        case .decided(let decided, _, let number):
            return decided.response { click in
                if click.isPersons { count() }
                guard let number else { return }
                var click = click
                click.link = number
                record(click)
            }
        }
    }

    /// The query is the link itself, so at most a part of it is passed on.
    static func visit(_ visit: Visit, of query: LongLinkQuery) -> Visit {
        var visit = visit
        visit.visitor.query = query.forwarded
        if query.isPreview {
            visit.showsOnly = true
            visit.visitor.bot = nil
        }
        return visit
    }

    static func invalid(_ problems: [FieldProblem], as format: ProblemFormat) -> Response {
        let detail = problems.map { "Parameter \($0.field) \($0.problem)." }.joined(separator: " ")
        if format.isJSON {
            return StatePage.response(Problem(.malformedRequest, "The link is not valid: \(detail)"), as: format)
        }
        return FirebasePage.invalid(detail)
    }
}

/// Long links that were read lately: the same one is often followed many times.
///
/// Isolation: confined to the thread of its event loop.
final class LongLinkCache {
    private var links: [String: (lookup: LongLinkLookup, generation: UInt64)] = [:]
    private static let limit = 256
    /// Bytes of an address that is worth keeping; longer ones would fill memory.
    private static let keyLimit = 2_048

    /// - Returns: also whether it was read before, and the generation of the directory that it was found in.
    func link(
        at host: HostName, path: String, query: String, _ service: LinkService
    ) -> (lookup: LongLinkLookup, wasKnown: Bool, generation: UInt64) {
        // Before the look-up, so that a change in between is noticed.
        let generation = service.applications.directory.generation
        // No host has a question mark, and no path.
        let key = host.text + path + "?" + query
        if let known = links[key], known.generation == generation { return (known.lookup, true, generation) }
        let lookup = service.longLink(at: host, path: path, query: query)
        if key.utf8.count <= Self.keyLimit, case .found = lookup {
            if links.count >= Self.limit { links.removeAll(keepingCapacity: true) }
            links[key] = (lookup, generation)
        }
        return (lookup, false, generation)
    }
}

/// The pages that tools look for by their titles.
enum FirebasePage {
    static func invalid(_ detail: String) -> Response {
        page(.badRequest, "Invalid Dynamic Link", detail)
    }

    static func notFound(host: HostName?, slug: Slug?) -> Response {
        let url = host.map { host in "https://\(host.text)/\(slug?.text ?? "")" } ?? ""
        return page(.notFound, "Dynamic Link Not Found", "There is no Dynamic Link at \(url).")
    }

    private static func page(_ status: Status, _ title: String, _ text: String) -> Response {
        let message = PageTexts.Message(title: title, text: text)
        return .page(status, StatePage.page(message, .english), fields: StatePage.varyFields)
    }
}
