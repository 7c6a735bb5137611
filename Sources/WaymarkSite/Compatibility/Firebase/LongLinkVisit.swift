import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A visit of a long link, of Firebase or of Branch: decided and answered like that of any other link. No link is stored, and no
/// limit can apply; its clicks are recorded under a number of the application.
enum LongLinkVisit {
    static func response(
        to visit: Visit, _ lookup: LongLinkLookup, _ site: Site, clickID mint: inout ClickIDGenerator,
        recording record: (Click) -> Void
    ) -> Response {
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return VisitResponse.badQuery(as: visit.problemFormat)
        }
        switch lookup {
        case .notServed: return VisitResponse.unknownHost(as: visit.problemFormat)
        case .invalid(_, let problems): return invalid(problems, as: visit.problemFormat)
        case .found(let cached, let query):
            let visit = self.visit(visit, of: query)
            guard let decided = DecidedVisit(visit, cached, atOpenHost: false, site, clickID: &mint) else {
                return VisitResponse.storeAway(as: visit.problemFormat)
            }
            return decided.response { click in
                if click.isPersons { site.service.longLinkClicks.wrappingAdd(1, ordering: .relaxed) }
                guard let number = query.number else { return }
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
    private var links: [String: (lookup: LongLinkLookup, cached: CachedLink)] = [:]
    private static let limit = 256
    /// Bytes of an address that is worth keeping; longer ones would fill memory.
    private static let keyLimit = 2_048

    func link(at host: HostName, path: String, query: String, _ service: LinkService) -> LongLinkLookup {
        // No host has a question mark, and no path.
        let key = host.text + path + "?" + query
        if let known = links[key], !known.cached.application.isReplaced { return known.lookup }
        let lookup = service.longLink(at: host, path: path, query: query)
        if key.utf8.count <= Self.keyLimit, case .found(let cached, _) = lookup,
            cached.application === service.applications.directory.current.application(cached.link.application)
        {
            if links.count >= Self.limit { links.removeAll(keepingCapacity: true) }
            links[key] = (lookup, cached)
        }
        return lookup
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
