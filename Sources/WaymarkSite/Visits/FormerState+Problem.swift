import WaymarkAPI
import WaymarkLinks
import WaymarkService

extension LinkService {
    /// The link and its application at a time; those given if it is not past, and the first ones for a time before their
    /// creation: tests of links ask for times of a schedule. Nil if the link is deleted.
    ///
    /// - Throws: `Problem` if they are not stored; `StoreError`.
    func state(of cached: CachedLink, at time: Timestamp, now: Timestamp) async throws -> CachedLink? {
        guard time < now else { return cached }
        let application = try await application(cached.application, at: time, now: now)
        if cached.link.id == .unstored { return former(cached.link, of: application) }
        guard let link = try await stored(cached.link) else { return nil }
        let known = try await state(of: link, at: max(time, link.createdAt)).value(of: "the link")
        return former(known, of: application)
    }

    /// The application at a time; the one given if it is not past, and the first one for a time before its creation.
    func application(
        _ served: ServedApplication, at time: Timestamp, now: Timestamp
    ) async throws -> ServedApplication {
        guard time < now else { return served }
        var state = try await state(of: served, at: time)
        if case .notYet(let start?) = state { state = try await self.state(of: served, at: start) }
        return try state.value(of: "the application")
    }
}

extension FormerState {
    fileprivate func value(of noun: String) throws(Problem) -> Value {
        switch self {
        case .found(let value): return value
        case .notYet(let start):
            throw Problem(invalid: [
                FieldProblem(
                    field: "at", problem: "is before \(noun) was created\(start.map { ", at \($0.rfc3339)" } ?? "")")
            ])
        case .notStored:
            throw Problem(invalid: [
                FieldProblem(
                    field: "at",
                    problem: "is from before values of versions were stored: what \(noun) was at that time is not known"
                )
            ])
        }
    }
}

extension CachedLink {
    /// Whether the link answered under the slug.
    func hadAddress(with slug: Slug) -> Bool {
        guard application.linkDomains.contains(link.domain) else { return false }
        if application.application.ignoresSlugCase { return link.address(foldedLike: slug) != nil }
        return link.addresses.contains { $0.slug == slug }
    }
}

extension FieldProblem {
    static func noTime(_ field: String) -> FieldProblem {
        FieldProblem(field: field, problem: "is no RFC 3339 time such as 2026-11-21T10:00:00Z")
    }
}
