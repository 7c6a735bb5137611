import Synchronization
import WaymarkAPI
import WaymarkAssociation
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/association/lint`: reports problems in an association file, without fetching anything. That of an
/// application is also held against its newest links.
enum AssociationLintHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let subject = try AssociationSubject(json: call.body)
        let kind = try AssociationFileSource.kind(subject)
        let file = try await AssociationFileSource.bytes(subject, kind, at: site.now, call, site)
        guard case .application(let text) = subject.file else {
            return .json(.ok, AssociationLint.lint(file, kind: kind).json())
        }
        var report = AssociationLint.lint(file, kind: kind, isServedHere: true)
        if let id = ApplicationID(text), let served = site.service.applications.directory.current.application(id) {
            let links = try await newestLinks(of: served.application, call, site)
            let host = served.application.domains.first?.text ?? links.first?.host ?? "example.com"
            report.findings += AssociationLint.findings(
                of: file, kind ?? .apple, sample: "https://\(host)\(AssociationLint.samplePath)",
                links: links.map(\.url))
        }
        return .json(.ok, report.json())
    }

    /// The URLs of its newest links over HTTPS and without a port, as devices compare them.
    private static func newestLinks(
        of application: Application, _ call: Call, _ site: Site
    ) async throws -> [(host: String, url: String)] {
        let listing = LinkListing(application: application.id, limit: AssociationLint.linksChecked)
        let page = try await site.service.list(listing, for: call.reach, key: call.key.id)
        return page.links.compactMap { link in
            guard let url = WebURL(link.smartlinkURL(application)), let host = url.host?.text else { return nil }
            return (host, "https://\(host)\(url.path)\(url.query.map { "?\($0)" } ?? "")")
        }
    }
}

/// `POST /api/v1/association/simulate`: whether a URL opens an app, and why.
enum AssociationSimulationHandler {
    /// Maximum length of an app's name and of an entitlement's entry, in bytes.
    private static let nameLimit = 500

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let body = try AssociationSimulateRequest(json: call.body)
        var problems: [FieldProblem] = []
        let platform = body.platform.flatMap { AssociationSimulation.Platform(rawValue: $0) }
        if body.platform != nil, platform == nil {
            problems.append(FieldProblem(field: "platform", problem: "must be one of ios, android"))
        }
        let context = body.context.flatMap { NavigationContext(rawValue: $0) }
        if body.context != nil, context == nil {
            let known = NavigationContext.allCases.map(\.rawValue).joined(separator: ", ")
            problems.append(FieldProblem(field: "context", problem: "must be one of \(known)"))
        }
        if let problem = AssociationURL.problem(of: body.url) {
            problems.append(FieldProblem(field: "url", problem: problem))
        }
        if (body.app?.utf8.count ?? 0) > nameLimit {
            problems.append(FieldProblem(field: "app", problem: "must be at most \(nameLimit) bytes long"))
        }
        if body.domains.contains(where: { $0.utf8.count > nameLimit }) {
            problems.append(
                FieldProblem(field: "domains", problem: "must have entries of at most \(nameLimit) bytes"))
        }
        let time = body.at.map { Timestamp(rfc3339: $0) } ?? site.now
        if time == nil { problems.append(.noTime("at")) }
        guard problems.isEmpty, let time else { throw Problem(invalid: problems) }
        let kind = try AssociationFileSource.kind(body.subject) ?? (platform == .android ? .assetLinks : nil)
        let file = try await AssociationFileSource.bytes(body.subject, kind, at: time, call, site)
        let outcome = AssociationSimulation.simulate(
            file: file, url: body.url, app: body.app, platform: platform, domains: body.domains, context: context)
        switch outcome {
        case .answer(let answer): return .json(.ok, answer.json())
        case .unusable(let reason):
            throw Problem(invalid: [FieldProblem(field: "document", problem: "can't be used: \(reason)")])
        }
    }
}

/// The source of the file to which a body refers.
private enum AssociationFileSource {
    static func kind(_ subject: AssociationSubject) throws(Problem) -> AssociationKind? {
        guard let text = subject.kind else { return nil }
        guard let kind = AssociationKind(rawValue: text) else {
            let known = AssociationKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(invalid: [FieldProblem(field: "kind", problem: "must be one of \(known)")])
        }
        return kind
    }

    static func bytes(
        _ subject: AssociationSubject, _ kind: AssociationKind?, at time: Timestamp, _ call: Call, _ site: Site
    ) async throws -> [UInt8] {
        switch subject.file {
        case .document(let text):
            guard text.utf8.count <= AssociationLint.sizeLimit else {
                throw Problem(
                    .bodyTooLarge, "The document can't be used: \(AssociationLint.tooLarge(text.utf8.count)).")
            }
            return Array(text.utf8)
        case .application(let text):
            guard let id = ApplicationID(text), call.reach.contains(id),
                let served = site.service.applications.directory.current.application(id)
            else { throw Problem.applicationUnknown }
            let former = try await site.service.application(served, at: time, now: site.now)
            let files = AssociationFiles(AssociationTable.source(former.document))
            guard let file = kind == .assetLinks ? files.assetLinks : files.apple else {
                throw Problem(.resourceUnknown, "The application has no app of this kind, so there is no such file.")
            }
            return file
        }
    }
}

/// The response with one association file, uncompressed and, once requested, compressed.
///
/// Safe to use from any thread.
final class AssociationResponse: Sendable {
    /// Always 200 with the whole file, even if the request has a matching entity tag: Apple's and Google's fetchers
    /// expect a file, not a 304.
    let plain: Response
    private let content: [UInt8]
    /// The entity tag of the uncompressed response, without quotation marks.
    let tag: String
    private let coded = Mutex<Response?>(nil)

    /// - Parameter sha256: computes the digest for the entity tag.
    init(_ content: [UInt8], sha256: ([UInt8]) -> [UInt8]) {
        self.content = content
        tag = ContentTag.text(of: content, sha256: sha256)
        plain = Response(.ok, fields: Self.fields(tag, isVaried: content.count >= Gzip.least), body: .bytes(content))
    }

    /// - Parameter isGzipPreferred: whether the client prefers a compressed response.
    func reply(isGzipPreferred: Bool, _ compression: CompressionCache) -> Reply {
        guard isGzipPreferred, content.count >= Gzip.least else { return .now(plain) }
        if let coded = coded.withLock({ $0 }) { return .now(coded) }
        return .later { [self] in
            guard let compressed = await compression.compressed(content, isKept: true) else { return plain }
            // The tag differs from the uncompressed one, because strong tags compare bytes (RFC 9110 section 8.8.1).
            var fields = Self.fields(tag + "-gz", isVaried: true)
            fields.append(.contentEncoding, "gzip" as StaticString)
            let response = Response(.ok, fields: fields, body: .bytes(compressed))
            coded.withLock { $0 = response }
            return response
        }
    }

    private static func fields(_ tag: String, isVaried: Bool) -> HeaderFields {
        var fields = HeaderFields(
            (.contentType, "application/json"), (.cacheControl, "public, max-age=300"),
            (.xContentTypeOptions, "nosniff"))
        // Hexadecimal digits are always accepted.
        _ = fields.append(.eTag, "\"\(tag)\"")
        if isVaried { fields.append(.vary, "Accept-Encoding" as StaticString) }
        return fields
    }
}
