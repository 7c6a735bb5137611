import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A request for a smart link's QR code, which does not count as a click. Runs outside of the event loops, because a
/// large image takes milliseconds.
struct QRCodeVisit: Sendable {
    let site: Site
    let format: QRCodeOrder.Format
    let query: QueryString
    let host: HostName?
    let slug: Slug?
    let problemFormat: ProblemFormat
    let preconditions: Preconditions
    let peer: Peer

    init(
        _ format: QRCodeOrder.Format, _ head: RequestHead, _ bytes: Span<UInt8>, segment: String, from peer: Peer,
        site: Site
    ) {
        self.peer = peer
        self.site = site
        self.format = format
        query = QueryString(head.query?.copy(of: bytes))
        host = VisitHost.name(head, bytes)
        slug = OpenedPath(segment).slug
        problemFormat = ProblemFormat(head, bytes)
        // The time only matters for dates with two-digit years, and no date is used here.
        preconditions = Preconditions(head, in: bytes, now: site.now.seconds)
    }

    func answer() async -> Response {
        do throws(Problem) {
            try QRCodePicture.checkAvailability()
        } catch {
            return .problem(error)
        }
        do {
            let order = try QRCodeOrder(format, query)
            let (smartlink, application) = try await self.smartlink()
            let logo = order.hasLogo ? await site.service.logo(of: application) : nil
            let picture = try QRCodePicture(of: smartlink, logo: logo, order)
            return answer(picture.bytes, picture.fields, Self.caching(logo))
        } catch let problem as Problem {
            if problem.known == .linkUnknown, let seconds = site.callers.takeUnknownSlug(peer) {
                return StatePage.rateLimited(retryAfter: seconds, as: problemFormat)
            }
            return problem.status == 422 ? .problem(problem) : StatePage.response(problem, as: problemFormat)
        } catch {
            site.logger.warning("a QR code was not made: \(error)")
            return VisitResponse.storeAway(as: problemFormat)
        }
    }

    /// The URL in the code, and the application of the link.
    ///
    /// - Throws: a problem if the link can't be followed now, because its code should not be printed; `StoreError`.
    private func smartlink() async throws -> (String, ApplicationID) {
        guard let host else { throw Problem.hostUnserved }
        guard let slug else { throw Problem.slugUnknown }
        let directory = site.service.applications.directory.current
        let found: VisitLookup
        if let cached = site.service.cached(at: host, slug: slug, in: directory) {
            found = cached
        } else {
            found = try await site.service.load(at: host, slug: slug)
        }
        switch found {
        case .unknownHost: throw Problem.hostUnserved
        case .unknownSlug: throw Problem.slugUnknown
        case .found(let cached, _):
            let link = cached.quota?.isExhausted == true ? cached.exhaustedLink : cached.link
            if let problem = Problem(link.state(at: site.now)) { throw problem }
            return (link.smartlinkURL(cached.application.application), link.application)
        }
    }

    /// The tag is a digest of the bytes, not of the parameters: another version of a library may encode the same code
    /// differently.
    private func answer(_ bytes: [UInt8], _ fields: HeaderFields, _ caching: HeaderFields) -> Response {
        var caching = caching
        if let tag = EntityTag(ContentTag.text(of: bytes, sha256: site.service.dependencies.sha256)) {
            // Hexadecimal digits are always accepted.
            _ = caching.append(.eTag, tag.text)
            switch preconditions.outcome(tag: tag, modified: nil) {
            case .failed:
                return .problem(.versionMismatch, "The picture does not have the ETag that If-Match asks for.")
            case .notModified: return Response(.notModified, fields: caching)
            case .proceed: break
            }
        }
        caching.append(fields)
        return Response(.ok, fields: caching, body: .bytes(bytes))
    }

    /// One day: the content of a code never changes, but links expire. A logo changes sooner, which the tag says.
    private static func caching(_ logo: [UInt8]?) -> HeaderFields {
        HeaderFields((.cacheControl, logo == nil ? "public, max-age=86400" : "public, max-age=3600"))
    }
}
