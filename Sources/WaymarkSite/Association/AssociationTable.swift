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
    private var files: [[ApplicationID]: AssociationFiles] = [:]

    init(_ site: Site) {
        directory = PublishedView(site.service.applications.directory)
        overrides = PublishedView(site.overrides)
        known = directory.current()
    }

    func apple(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response {
        answer(.apple, head, bytes) { $0.apple }
    }

    func assetLinks(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response {
        answer(.assetLinks, head, bytes) { $0.assetLinks }
    }

    private func answer(
        _ name: AssociationOverrides.Name, _ head: RequestHead, _ bytes: Span<UInt8>,
        _ file: (AssociationFiles) -> [UInt8]?
    ) -> Response {
        let host = VisitHost.name(head, bytes)
        if let given = overrides.current().file(name, host: host?.text ?? "") { return Self.response(given) }
        guard let host, let places = freshDirectory().places(at: host) else {
            return .problem(.hostUnknown, "No application has this host.")
        }
        guard let content = file(filesFor(places.applications)) else {
            return .problem(.resourceUnknown, "No app of this kind is configured for this host.")
        }
        return Self.response(content)
    }

    private func freshDirectory() -> ApplicationDirectory {
        let current = directory.current()
        if current !== known {
            known = current
            files = [:]
        }
        return current
    }

    private func filesFor(_ ids: [ApplicationID]) -> AssociationFiles {
        if let ready = files[ids] { return ready }
        let sources = ids.compactMap { known.application($0) }.map { Self.source($0.document) }
        let made = AssociationFiles(merging: sources)
        files[ids] = made
        return made
    }

    /// What an applied document says; it was checked when it was applied.
    static func source(_ document: [UInt8]) -> AssociationSource {
        guard let value = try? JSONValue(parsing: document), case .source(let source) = AssociationSource.read(value)
        else { return .none }
        return source
    }

    private static func response(_ file: [UInt8]) -> Response {
        Response(.ok, fields: fields, body: .bytes(file))
    }

    private static let fields = HeaderBlock(
        (.contentType, "application/json"), (.cacheControl, "public, max-age=300"), (.xContentTypeOptions, "nosniff"))
}
