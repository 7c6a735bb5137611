import WaymarkAPI
import WaymarkAssociation
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// Answers for association files, per host, kept for as long as no application changes.
///
/// Isolation: confined to the thread of its event loop.
final class AssociationTable {
    private var directory: PublishedView<ApplicationDirectory>
    private var overrides: PublishedView<AssociationOverrides>
    /// Of which directory `files` was made.
    private var known: ApplicationDirectory
    private var files: [[ApplicationID]: Answers] = [:]
    /// Of which overrides `given` was made.
    private var knownOverrides: AssociationOverrides
    /// Answers for the files of the public folder, by host.
    private var given: [String: [AssociationOverrides.Name: Response]] = [:]
    private let sha256: ([UInt8]) -> [UInt8]

    init(_ site: Site) {
        directory = PublishedView(site.service.applications.directory)
        overrides = PublishedView(site.overrides)
        known = directory.current()
        knownOverrides = overrides.current()
        sha256 = site.service.surroundings.sha256
    }

    /// What one set of applications is answered with; nil where there is no such file.
    private struct Answers {
        let apple: Response?
        let assetLinks: Response?
    }

    /// Hosts that belong to nobody can be made up without end.
    private static let hostLimit = 10_000

    func apple(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response {
        answer(.apple, head, bytes) { $0.apple }
    }

    func assetLinks(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response {
        answer(.assetLinks, head, bytes) { $0.assetLinks }
    }

    private func answer(
        _ name: AssociationOverrides.Name, _ head: RequestHead, _ bytes: Span<UInt8>, _ file: (Answers) -> Response?
    ) -> Response {
        let host = VisitHost.name(head, bytes)
        if let given = givenAnswer(name, host: host?.text ?? "") { return given }
        guard let host, let places = freshDirectory().places(at: host) else {
            return .problem(.hostUnknown, "No application has this host.")
        }
        return file(filesFor(places.applications))
            ?? .problem(.resourceUnknown, "No app of this kind is configured for this host.")
    }

    private func givenAnswer(_ name: AssociationOverrides.Name, host: String) -> Response? {
        let current = overrides.current()
        if current != knownOverrides {
            knownOverrides = current
            given = [:]
        }
        if let ready = given[host]?[name] { return ready }
        guard let file = current.file(name, host: host) else { return nil }
        if given.count >= Self.hostLimit { given = [:] }
        let made = response(file)
        given[host, default: [:]][name] = made
        return made
    }

    private func freshDirectory() -> ApplicationDirectory {
        let current = directory.current()
        if current !== known {
            known = current
            files = [:]
        }
        return current
    }

    private func filesFor(_ ids: [ApplicationID]) -> Answers {
        if let ready = files[ids] { return ready }
        let sources = ids.compactMap { known.application($0) }.map { Self.source($0.document) }
        let merged = AssociationFiles(merging: sources)
        let made = Answers(apple: merged.apple.map(response), assetLinks: merged.assetLinks.map(response))
        files[ids] = made
        return made
    }

    /// What an applied document says; it was checked when it was applied.
    static func source(_ document: [UInt8]) -> AssociationSource {
        guard let value = try? JSONValue(parsing: document), case .source(let source) = AssociationSource.read(value)
        else { return .none }
        return source
    }

    /// Always the whole file and 200, also where the question names a tag that the asker has: Apple's and Google's
    /// fetchers are promised a file, not an answer about one.
    private func response(_ file: [UInt8]) -> Response {
        var fields = Self.fields
        _ = fields.append(.eTag, "\"\(Self.hexadecimal(sha256(file).prefix(16)))\"")
        return Response(.ok, fields: fields, body: .bytes(file))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let fields = HeaderBlock(
        (.contentType, "application/json"), (.cacheControl, "public, max-age=300"), (.xContentTypeOptions, "nosniff"))
}
