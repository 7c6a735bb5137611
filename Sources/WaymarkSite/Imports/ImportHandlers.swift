import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkStores

/// `POST /api/v1/imports`: starts an import, which goes on after the response.
enum ImportCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let permit = call.upload?.permit ?? site.imports.permit(for: call.key) else { return Imports.tooMany() }
        let order = try await ImportOrder(call, site)
        let response = try await site.imports.start(order, permit, for: call.key)
        return .json(
            .accepted, response.json, fields: HeaderFields().adding(location: Endpoint.linkImport(response.id)))
    }
}

/// `GET /api/v1/imports`: those that the key started, or administers.
enum ImportListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let runs = try await site.imports.list(for: call.key)
        return .json(.ok, ImportResponse.list(runs.map { site.imports.response($0) }))
    }
}

/// `GET /api/v1/imports/{id}`: how far it is, or the report of its rows so far as CSV.
enum ImportReadingHandler {
    static let parameters = ["format"]

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let formats = call.query.all("format")
        if formats.count > 1 {
            throw Problem(invalid: [FieldProblem(field: "format", problem: "is given more than once")])
        }
        let isTable: Bool
        switch formats.first {
        case nil: isTable = call.prefersCSV
        case "csv": isTable = true
        case "json": isTable = false
        default: throw Problem(invalid: [FieldProblem(field: "format", problem: "must be json or csv")])
        }
        let run = try await ImportLookup.run(call, site)
        return isTable ? try await site.imports.report(run) : .json(.ok, site.imports.response(run).json)
    }
}

/// `DELETE /api/v1/imports/{id}`: stops it. Links that it created stay, and so does the report.
enum ImportDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        try await site.imports.stop(try await ImportLookup.run(call, site))
        return .noContent
    }
}

private enum ImportLookup {
    static func run(_ call: Call, _ site: Site) async throws -> StoredImportRun {
        guard let run = try await site.imports.find(call.parameters[0], for: call.key) else {
            throw Problem(.resourceUnknown, "There is no import with this ID, or it belongs to another key.")
        }
        return run
    }
}
