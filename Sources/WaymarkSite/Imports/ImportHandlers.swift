import WaymarkAPI
import WaymarkHTTP
import WaymarkServer

/// `POST /api/v1/imports`: starts an import, which goes on after the response.
enum ImportCreationHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard let permit = call.upload?.permit ?? site.imports.permit(for: call.key) else { return Imports.tooMany() }
        let order = try await ImportOrder(call, site)
        let run = try site.imports.start(order, permit, for: call.key, site)
        return .json(
            .accepted, run.response.json, fields: HeaderFields().adding(location: Endpoint.linkImport(run.id)))
    }
}

/// `GET /api/v1/imports`: those that the key started.
enum ImportListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        .json(.ok, ImportResponse.list(site.imports.runs(for: call.key).map(\.response)))
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
        let run = try ImportLookup.run(call, site)
        guard isTable else { return .json(.ok, run.response.json) }
        guard let file = run.openReport.opened() else {
            throw Problem(.internalError, "The report can't be read.")
        }
        return .table(file)
    }
}

/// `DELETE /api/v1/imports/{id}`: stops it. Links that it created stay, and so does the report.
enum ImportDeletionHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let run = try ImportLookup.run(call, site)
        run.requestStop()
        await run.waitForEnd(seconds: 5)
        return .noContent
    }
}

private enum ImportLookup {
    static func run(_ call: Call, _ site: Site) throws(Problem) -> ImportRun {
        guard let run = site.imports.run(call.parameters[0], for: call.key) else {
            throw Problem(.resourceUnknown, "There is no import with this ID, or it belongs to another key.")
        }
        return run
    }
}
