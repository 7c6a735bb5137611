import WaymarkAPI
import WaymarkAssociation
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Responses with association files by host, cached until an application changes.
///
/// Isolation: confined to the thread of its event loop.
final class AssociationTable {
    private var directory: PublishedView<ApplicationDirectory>
    private var overrides: PublishedView<AssociationOverrides>
    /// The directory from which `files` was made.
    private var known: ApplicationDirectory
    private var files: [[ApplicationID]: Answers] = [:]
    /// The overrides from which `given` was made.
    private var knownOverrides: AssociationOverrides
    /// Responses with files of the public folder, by the host of the file rather than of the request: clients can
    /// invent any number of unknown hosts, which all share the files for all hosts.
    private var given: [String: [AssociationFileName: AssociationResponse]] = [:]
    private let sha256: ([UInt8]) -> [UInt8]

    init(_ site: Site) {
        directory = PublishedView(site.service.applications.directory)
        overrides = PublishedView(site.overrides)
        known = directory.current()
        knownOverrides = overrides.current()
        sha256 = site.service.dependencies.sha256
    }

    /// The responses for one set of applications; nil if there is no such file.
    private struct Answers {
        let apple: AssociationResponse?
        let assetLinks: AssociationResponse?

        func file(_ name: AssociationFileName) -> AssociationResponse? {
            switch name {
            case .apple: apple
            case .assetLinks: assetLinks
            }
        }
    }

    /// The result for a host.
    enum Found {
        case file(AssociationResponse)
        /// The response that explains why there is no file.
        case none(Response)
    }

    func answer(_ name: AssociationFileName, _ head: RequestHead, _ bytes: Span<UInt8>) -> Found {
        let host = VisitHost.name(head, bytes)
        if let given = givenAnswer(name, host: host?.text ?? "") { return .file(given) }
        guard let host, let candidates = freshDirectory().lookup(at: host) else {
            return .none(.problem(.hostUnknown, "No application has this host."))
        }
        guard let file = filesFor(candidates.applications).file(name) else {
            return .none(.problem(.resourceUnknown, "No app of this kind is configured for this host."))
        }
        return .file(file)
    }

    private func givenAnswer(_ name: AssociationFileName, host: String) -> AssociationResponse? {
        let current = overrides.current()
        if current != knownOverrides {
            knownOverrides = current
            given = [:]
        }
        guard let file = current.file(name, host: host) else { return nil }
        if let ready = given[file.host]?[name] { return ready }
        let made = AssociationResponse(file.content, sha256: sha256)
        given[file.host, default: [:]][name] = made
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
        let merged = Self.files(of: ids, in: known)
        let made = Answers(
            apple: merged.apple.map { AssociationResponse($0, sha256: sha256) },
            assetLinks: merged.assetLinks.map { AssociationResponse($0, sha256: sha256) })
        files[ids] = made
        return made
    }

    /// The generated files of applications that share a host.
    static func files(of ids: [ApplicationID], in directory: ApplicationDirectory) -> AssociationFiles {
        AssociationFiles(merging: ids.compactMap { directory.application($0) }.map { source($0.document) })
    }

    /// The source in an applied document, which was validated when it was applied.
    static func source(_ document: [UInt8]) -> AssociationSource {
        guard let value = try? JSONValue(parsing: document), case .source(let source) = AssociationSource.read(value)
        else { return .none }
        return source
    }
}

extension Site {
    /// The file that a host serves: that of the public folder, else the one generated from its applications. It is made
    /// for each call, unlike the responses of `AssociationTable`.
    ///
    /// - Parameters:
    ///   - host: in lower case.
    ///   - former: the application of a time that is past; nil: those of now.
    /// - Returns: nil if the host serves none.
    func associationFile(
        _ kind: AssociationKind, at host: String, of former: ServedApplication? = nil
    ) -> [UInt8]? {
        let name: AssociationFileName = kind == .apple ? .apple : .assetLinks
        if let given = overrides.current.file(name, host: host) { return given.content }
        if let former {
            let files = AssociationFiles(AssociationTable.source(former.document))
            return kind == .apple ? files.apple : files.assetLinks
        }
        let directory = service.applications.directory.current
        guard let host = HostName(host), let found = directory.lookup(at: host) else { return nil }
        let files = AssociationTable.files(of: found.applications, in: directory)
        return kind == .apple ? files.apple : files.assetLinks
    }
}
