import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/apps/{id}/utm-templates`.
enum UTMTemplateReadingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try ExtraAccess.application(call, site)
        let stored = try await site.service.extra(ApplicationExtra.utmTemplates, of: id)
        return .json(
            .ok, stored?.content ?? UTMTemplates().json, fields: .eTag(stored?.version ?? ApplicationExtra.noVersion))
    }
}

/// `PUT /api/v1/apps/{id}/utm-templates`: replaces all.
enum UTMTemplatePutHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let id = try ExtraAccess.application(call, site)
        let (body, shape) = UTMTemplates.attempt(
            try ObjectReader.document(call.body, shape: UTMTemplates.members.shape))
        guard let body else { throw Problem(invalid: shape) }
        let problems = FieldProblem.merged(shape: shape, meaning: body.validate().entries)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        let json = body.json
        let version = try await ExtraAccess.change(ApplicationExtra.utmTemplates, of: id, to: json, call, site)
        return .json(.ok, json, fields: .eTag(version))
    }
}

/// What the handlers of an application's extras share.
enum ExtraAccess {
    /// The application in the path, which the caller may see.
    static func application(_ call: Call, _ site: Site) throws(Problem) -> ApplicationID {
        guard let id = ApplicationID(call.parameters[0]), call.reach.contains(id),
            site.service.applications.directory.current.application(id) != nil
        else { throw Problem.applicationUnknown }
        return id
    }

    /// Changes what `If-Match` allows to change.
    ///
    /// - Parameter content: nil removes it.
    /// - Returns: the new version.
    static func change(
        _ name: String, of id: ApplicationID, to content: [UInt8]?, _ call: Call, _ site: Site
    ) async throws -> Int {
        let current = call.ifMatch == .none ? nil : try await site.service.extra(name, of: id)?.version
        // An empty list of templates exists, a logo that nobody has given does not.
        let known = current ?? (name == ApplicationExtra.utmTemplates ? ApplicationExtra.noVersion : nil)
        guard case .version(let expecting) = call.ifMatch.expectation(current: known) else {
            throw Problem.versionMismatch(current: known)
        }
        switch try await site.service.changeExtra(name, of: id, to: content, expecting: expecting) {
        case .changed(let version): return version
        case .versionMismatch(let current): throw Problem.versionMismatch(current: current)
        case .unknown:
            throw content == nil
                ? Problem(.resourceUnknown, "The application has no \(name).") : Problem.applicationUnknown
        }
    }
}
