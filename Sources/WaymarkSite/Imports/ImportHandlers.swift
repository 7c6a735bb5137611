import WaymarkAPI
import WaymarkHTTP
import WaymarkImports
import WaymarkServer
import WaymarkService
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
        return isTable ? try await report(run, site) : .json(.ok, site.imports.response(run).json)
    }

    /// With the rows so far.
    ///
    /// - Throws: `Problem` if there is no space for it, or `StoreError`.
    private static func report(_ run: StoredImportRun, _ site: Site) async throws -> Response {
        await site.imports.writeReport(of: run)
        let runs = site.service.importRuns
        var piece = Array(ImportReport.header.utf8)
        guard var next = try await runs.reportPiece(0, ofImport: run.id) else { return .table(piece) }
        do {
            let file = try SpoolFile(in: site.imports.settings.folder, site.uploads.space)
            var number = 0
            while true {
                piece += next
                try file.append(piece[...])
                piece = []
                number += 1
                guard let further = try await runs.reportPiece(number, ofImport: run.id) else { break }
                next = further
            }
            guard let opened = file.opened() else { throw Problem(.internalError, "The report can't be read.") }
            // Of an import that was forgotten meanwhile the last pieces may be missing.
            guard try await runs.importRun(run.id) != nil else {
                throw Problem(.resourceUnknown, "The import was forgotten while its report was read.")
            }
            return .table(opened)
        } catch let failure as SpoolFile.Failure {
            throw failure.isDiskFull
                ? Problem(.overloaded, "The server has no space left to send the report; try again later.")
                : Problem(.internalError, "The server can't store the report.")
        }
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
