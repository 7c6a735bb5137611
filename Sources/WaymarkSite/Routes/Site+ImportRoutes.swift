import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Links of other services.
    static let importRoutes: [SiteRoute] = [
        .api(
            .post, "/api/v1/imports", .links, body: .upload, limit: .create, ImportCreationHandler.answer,
            APIOperation(
                "createImport", .imports, "Import links of another service",
                """
                Uploads the files of the service as a form, or names the key of its API in JSON. The import goes on \
                after the response, in transactions of up to 1,000 links. Links that exist and equal their row are \
                `same`, so that an import that was interrupted, as by a restart of the server, goes on when it is sent \
                again. The server fetches from public addresses only, over HTTPS, and follows no redirects \
                (`webhooks.allowedNetworks` allows others). A form may have `imports.uploadBytes`, 512 MiB; a JSON \
                body 1 MiB.
                """,
                body: "ImportBody", form: "ImportForm", fields: ["Expect"],
                [.json(202, "Import", "Started.", .location)])),
        .api(
            .get, "/api/v1/imports", .links, compressible: true, ImportListHandler.answer,
            APIOperation(
                "listImports", .imports, "List imports",
                """
                Those that the key started, and with the scope `admin` those of the applications that it administers, \
                the newest first: running ones, and the last that ended, on all servers.
                """,
                [.json(200, "ImportList", "The imports.")])),
        .api(
            .get, "/api/v1/imports/{id}", .links, query: ImportReadingHandler.parameters, ImportReadingHandler.answer,
            APIOperation(
                "getImport", .imports, "Show an import, or its report",
                [
                    .json(
                        200, "Import",
                        """
                        The state and counts. As CSV (RFC 4180) the report: `row,outcome,slug,smartlink,reason`, a \
                        line for each row so far, and at the end one for each note, with the outcome `note` and no \
                        row. Imports that ended can be read on every server for 30 days, the last 50 of each \
                        application, with reports of 128 MiB together.
                        """,
                        or: .text("text/csv")),
                    404,
                ])),
        .api(
            .delete, "/api/v1/imports/{id}", .links, ImportDeletionHandler.answer,
            APIOperation(
                "stopImport", .imports, "Stop an import",
                """
                It ends after its current batch. Links that it created stay, and so does the report. Nothing happens \
                if it has ended.
                """,
                [.empty(204, "Stopped, or `stopping` if the other service does not answer in time."), 404])),
    ]
}
