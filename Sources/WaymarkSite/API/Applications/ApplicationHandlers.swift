import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/apps/{id}`: the application as applied for keys with the scope `admin`, its summary for others.
enum ApplicationReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let id = ApplicationID(call.parameters[0]), call.reach.contains(id),
            let served = site.service.applications.directory.current.application(id)
        else { throw Problem.applicationUnknown }
        // The tag is the whole document's: who can't read that can't replace it either.
        var fields = call.key.may(.admin, in: id) ? HeaderFields.eTag(served.version) : HeaderFields()
        // Programs that would change it know before that they can't (RFC 9110, section 10.2.1).
        if served.isReadOnly { fields.append(.allow, "GET, HEAD" as StaticString) }
        return .json(.ok, served.representation(for: call.key), fields: fields)
    }
}

extension ServedApplication {
    /// Beyond the summary, a document has settings of the operator: destinations, origins, Firebase's API keys.
    fileprivate func representation(for key: KeyIdentity) -> [UInt8] {
        if key.may(.admin, in: id) { return document }
        let summary = ApplicationSummary(application)
        return key.may(.read, in: id) || key.may(.create, in: id) ? summary.json : summary.identityJSON
    }
}

extension ApplicationSummary {
    fileprivate init(_ application: Application) {
        let platforms = [
            ("ios", application.ios != nil), ("android", application.android != nil),
            ("web", application.webBaseURL != nil),
        ]
        self.init(
            id: application.id.text, name: application.name, domains: application.domains.map(\.text),
            routes: application.templates.map(\.route.text), platforms: platforms.filter(\.1).map(\.0),
            urlSchemes: .init(
                ios: application.ios?.urlScheme?.text, android: application.android?.urlScheme?.text),
            appearance: .init(
                iconURL: application.appearance.iconURL?.text, accentColor: application.appearance.accentColor?.text),
            managedBy: application.managedBy)
    }
}

extension Problem {
    static let applicationUnknown = Problem(
        .applicationUnknown, "No application has this id, or none that this key may see.")

    static let applicationReadOnly = Problem(
        .applicationReadOnly, "The application comes from the configuration's applications file: change it there.")
}

/// `GET /api/v1/apps`: all applications that the key has access to, sorted by ID.
enum ApplicationListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let directory = site.service.applications.directory.current
        let applications = directory.applications.filter { call.reach.contains($0.id) }
        return .json(
            .ok,
            JSONWriter.text { writer in
                writer.beginObject()
                writer.array("apps", applications) { $1.raw($0.representation(for: call.key)) }
                writer.endObject()
            })
    }
}

/// `DELETE /api/v1/apps/{id}`: rejected while links exist.
enum ApplicationDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let id = ApplicationID(call.parameters[0]), call.reach.contains(id),
            let current = site.service.applications.directory.current.application(id)
        else { throw Problem.applicationUnknown }
        guard case .version(let version) = call.ifMatch.expectation(current: current.version) else {
            throw Problem.versionMismatch(current: current.version)
        }
        switch try await site.service.applications.delete(id, expecting: version) {
        case .deleted: return .noContent
        case .unknown: throw Problem.applicationUnknown
        case .readOnly: throw Problem.applicationReadOnly
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .inUse(let links):
            throw Problem(.applicationInUse, links == 1 ? "1 link belongs to it." : "\(links) links belong to it.")
        }
    }
}
