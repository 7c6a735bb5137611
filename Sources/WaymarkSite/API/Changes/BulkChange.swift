import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// What a bulk request does with each link that it selects.
struct BulkChange: Sendable {
    private let patch: LinkPatchHandler.Patch
    private let addTags: [String]
    private let removeTags: [String]
    private let password: PasswordChange
    private let smartlinkHosts: SmartlinkHosts
    private let author: ChangeAuthor
    /// Equal for requests that do the same.
    let canonical: [UInt8]
    /// What the audit says of it: neither secrets nor metadata.
    let auditValues: AuditValues
    private let select: JSONValue
    private let patched: JSONValue?

    /// - Throws: `Problem` if the patch is not valid; `StoreError`.
    init(_ request: BulkRequest<LinkFilter>, _ document: JSONDocument, _ call: Call, _ site: Site) async throws {
        patch = try request.patch.map { try LinkPatchHandler.patch($0) } ?? .empty
        guard patch.problems.isEmpty else {
            throw Problem(
                invalid: patch.problems.map { FieldProblem(field: "patch.\($0.field)", problem: $0.problem) })
        }
        addTags = request.addTags
        removeTags = request.removeTags
        password = try await PasswordChange(patch, site)
        smartlinkHosts = site.service.applications.directory.current.smartlinkHosts
        author = call.key.author
        var values = request.patch.map { AuditValues(json: $0.text(of: $0.root)) } ?? AuditValues()
        for (name, tags) in [("addTags", addTags), ("removeTags", removeTags)] where !tags.isEmpty {
            values.add(name, tags)
        }
        auditValues = values
        select = document.root["select"] ?? .null
        patched = request.patch?.root
        canonical = JSONWriter.text { writer in
            writer.beginObject()
            if let patch = request.patch { writer.member("patch", raw: patch.canonicalBytes) }
            writer.strings("addTags", request.addTags)
            writer.strings("removeTags", request.removeTags)
            writer.endObject()
        }
    }

    /// All of it, as JSON on one line, for the person who confirms it. Of a password and of metadata it says only that they
    /// change.
    var confirmationText: String {
        let text = JSONWriter.text { writer in
            writer.beginObject()
            writer.member("select", select)
            for member in patched?.object?.members ?? [] {
                let isHidden = ["metadata", "password"].contains(member.name) && !member.value.isNull
                writer.name(given: member.name)
                writer.value(isHidden ? JSONValue("(changes, not shown)") : member.value)
            }
            if !addTags.isEmpty { writer.strings("addTags", addTags) }
            if !removeTags.isEmpty { writer.strings("removeTags", removeTags) }
            writer.endObject()
        }
        return String(decoding: text, as: UTF8.self)
    }

    func decision(_ link: Link, _ served: ServedApplication, _ metadata: [UInt8]?) -> PatchDecision<Problem> {
        LinkPatchHandler.change(link, served.application, smartlinkHosts, metadata, by: patch, password, author) {
            body in
            let removed = Set(removeTags)
            body.tags.removeAll(where: removed.contains)
            for tag in addTags where !body.tags.contains(tag) { body.tags.append(tag) }
        }
    }
}

/// The links of a request with the versions that a change is computed from.
struct ChangeBasis: Sendable {
    /// Each once, in the order of the request. Empty beyond `kept` links.
    private(set) var links: [Link] = []
    private(set) var versions: [LinkID: Int] = [:]
    private(set) var applications: [ApplicationID: Int] = [:]

    /// - Parameter kept: how many links are of interest, besides their versions.
    init(_ targets: [BulkSelection.Target], keeping kept: Int, _ call: Call, _ site: Site) async throws {
        let directory = site.service.applications.directory.current
        var rest = targets[...]
        while !rest.isEmpty {
            for case .link(let link) in try await BulkSelection.links(rest.prefix(BulkSelection.piece), call, site) {
                guard versions.updateValue(link.version, forKey: link.id) == nil else { continue }
                if links.count < kept { links.append(link) }
                if applications[link.application] == nil {
                    applications[link.application] = directory.application(link.application)?.version ?? 0
                }
            }
            rest = rest.dropFirst(BulkSelection.piece)
            await Task.yield()
        }
    }

    /// A hash over the change and everything that it was computed from.
    func digest(of change: BulkChange, _ changes: PlannedChanges) async throws(StoreError) -> String {
        var text = change.canonical
        for (application, version) in applications.sorted(by: { $0.key.text < $1.key.text }) {
            text += Array("\n\(application.text) \(version)".utf8)
        }
        for (id, version) in versions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text += Array("\n\(id.rawValue) \(version)".utf8)
        }
        return try await changes.hash(text)
    }
}
