import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// All routes of the service. A literal segment takes precedence over a variable; `HEAD` is handled like `GET`.
    static let routes: [SiteRoute] = [
        .api(
            .post, "/api/v1/links", .create, body: .json, idempotencyKey: true, limit: .create, crossOrigin: true,
            executionHint: .onEventLoop, [200, 201, 409], LinkCreationHandler.answer),
        .api(
            .get, "/api/v1/links", .read, query: LinkListHandler.parameters, compressible: true, limit: .list, [200],
            LinkListHandler.answer),
        .api(
            .post, "/api/v1/links:batch", .links, body: .batch, idempotencyKey: true, limit: .create, [200, 409],
            LinkBatchHandler.answer),
        .api(
            .patch, "/api/v1/links:batch", .links, body: .batch, idempotencyKey: true, limit: .create, [200, 409],
            LinkBulkPatchHandler.answer),
        .api(
            .post, "/api/v1/links:delete", .links, body: .batch, idempotencyKey: true, limit: .create, [200],
            LinkBulkDeletionHandler.answer),
        .api(
            .get, "/api/v1/links/{slug}", .read, executionHint: .onEventLoop, [200, 404, 409], LinkReadingHandler.answer
        ),
        .api(
            .patch, "/api/v1/links/{slug}", .links, body: .mergePatch, executionHint: .onEventLoop,
            [200, 404, 409, 412],
            LinkPatchHandler.answer),
        .api(
            .delete, "/api/v1/links/{slug}", .links, executionHint: .onEventLoop, [204, 404, 409, 412],
            LinkDeletionHandler.answer),
        .api(
            .get, "/api/v1/links/{domain}/{slug}", .read, executionHint: .onEventLoop, [200, 404],
            LinkReadingHandler.answer),
        .api(
            .patch, "/api/v1/links/{domain}/{slug}", .links, body: .mergePatch, executionHint: .onEventLoop,
            [200, 404, 409, 412],
            LinkPatchHandler.answer),
        .api(
            .delete, "/api/v1/links/{domain}/{slug}", .links, executionHint: .onEventLoop, [204, 404, 412],
            LinkDeletionHandler.answer),
        .api(
            .post, "/api/v1/links/{domain}/{slug}:rename", .links, body: .json, [200, 404, 409, 412],
            LinkRenameHandler.answer),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/history", .read, compressible: true, [200, 404],
            LinkHistoryHandler.answer),
        .api(.get, "/api/v1/links/{domain}/{slug}/metadata", .admin, [200, 404], MetadataHandler.answer),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/clicks", .read, query: ClicksParameters.parameters, compressible: true,
            limit: .statistics,
            [200, 404],
            ClicksHandler.answer),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/events", .read, query: ActivityHandler.parameters, compressible: true,
            limit: .statistics,
            [200, 404], ActivityHandler.answer),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/qr.png", .read, query: QRCodeOrder.parameters, limit: .qrCode,
            [200, 404], LinkQRCodeHandler.png),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/qr.svg", .read, query: QRCodeOrder.parameters, limit: .qrCode,
            [200, 404], LinkQRCodeHandler.svg),
        .api(
            .get, "/api/v1/clicks", .read, query: ClickReportParameters.parameters, compressible: true,
            limit: .statistics, [200],
            ClickReportHandler.answer),
        .api(.get, "/api/v1/clicks/live", .read, limit: .statistics, [200], LiveClicksHandler.answer),
        .api(
            .post, "/api/v1/resolve", .resolve, body: .json, idempotencyKey: true, limit: .resolve, crossOrigin: true,
            executionHint: .onEventLoop, [200, 404, 410], ResolveHandler.answer),
        .api(
            .post, "/api/v1/events", .resolve, body: .json, limit: .event, executionHint: .onEventLoop, [202],
            EventsHandler.answer),
        .api(
            .post, "/api/v1/conversions", .resolve, body: .json, limit: .event, [202], ConversionsHandler.answer),
        .api(
            .get, "/api/v1/conversions", .read, query: ConversionReportHandler.parameters, compressible: true,
            limit: .statistics, [200],
            ConversionReportHandler.answer),
        .api(
            .post, "/api/v1/deferred/claim", .resolve, body: .json, idempotencyKey: true, limit: .claim,
            executionHint: .onEventLoop,
            [200], ClaimHandler.answer),

        .api(.post, "/api/v1/imports", .links, body: .upload, limit: .create, [202], ImportCreationHandler.answer),
        .api(.get, "/api/v1/imports", .links, compressible: true, [200], ImportListHandler.answer),
        .api(
            .get, "/api/v1/imports/{id}", .links, query: ImportReadingHandler.parameters, [200, 404],
            ImportReadingHandler.answer),
        .api(.delete, "/api/v1/imports/{id}", .links, [204, 404], ImportDeletionHandler.answer),

        .api(.post, "/api/v1/explain", .read, body: .json, [200], ExplainHandler.answer),

        .api(
            .get, "/api/v1/apps", .read, orScope: .create, adminOnly: true, compressible: true, [200],
            ApplicationListHandler.answer),
        .api(
            .get, "/api/v1/apps/{id}", .read, orScope: .create, .resolve, adminOnly: true, [200, 404],
            ApplicationReadingHandler.answer),
        .api(
            .put, "/api/v1/apps/{id}", .admin, body: .json, adminOnly: true, [200, 201, 409, 412],
            ApplicationPutHandler.answer),
        .api(
            .delete, "/api/v1/apps/{id}", .admin, adminOnly: true, [204, 404, 409, 412],
            ApplicationDeletionHandler.answer),
        .api(
            .get, "/api/v1/apps/{id}/routes", .admin, adminOnly: true, compressible: true, [200, 404],
            RegisteredRoutesHandler.answer),
        .api(.get, "/api/v1/domains", .read, compressible: true, [200], DomainListHandler.answer),
        .api(
            .post, "/api/v1/domains/{domain}:revoke", .admin, body: .json, adminOnly: true, [204, 404, 409],
            RevocationHandler.answer),
        .api(.get, "/api/v1/keys", .admin, adminOnly: true, [200], KeyListHandler.answer),
        .api(.post, "/api/v1/keys", .admin, body: .json, adminOnly: true, [201, 409], KeyCreationHandler.answer),
        .api(.delete, "/api/v1/keys/{id}", .admin, adminOnly: true, [204, 404], KeyDeletionHandler.answer),
        .api(.get, "/api/v1/webhooks", .admin, adminOnly: true, [200], WebhookListHandler.answer),
        .api(.post, "/api/v1/webhooks", .admin, body: .json, adminOnly: true, [201], WebhookCreationHandler.answer),
        .api(.get, "/api/v1/webhooks/{id}", .admin, adminOnly: true, [200, 404], WebhookReadingHandler.answer),
        .api(
            .patch, "/api/v1/webhooks/{id}", .admin, body: .mergePatch, adminOnly: true, [200, 404],
            WebhookPatchHandler.answer),
        .api(.delete, "/api/v1/webhooks/{id}", .admin, adminOnly: true, [204, 404], WebhookDeletionHandler.answer),
        .api(
            .post, "/api/v1/webhooks/{id}:rotate", .admin, adminOnly: true, [200, 404], WebhookRotationHandler.answer),
        .api(.post, "/api/v1/webhooks/{id}:test", .admin, adminOnly: true, [202, 404], WebhookTestHandler.answer),
        .api(
            .get, "/api/v1/webhooks/{id}/deliveries", .admin, query: DeliveryListHandler.parameters, adminOnly: true,
            [200, 404], DeliveryListHandler.answer),
        .api(
            .post, "/api/v1/webhooks/{id}/deliveries:replay", .admin, body: .json, adminOnly: true, [202, 404],
            ReplayHandler.answer),

        .api(
            .post, "/api/v1/association/lint", .links, body: .json, limit: .association, [200, 404],
            AssociationLintHandler.answer),
        .api(
            .post, "/api/v1/association/simulate", .links, body: .json, limit: .association, [200, 404],
            AssociationSimulationHandler.answer),

        .firebase(.post, "/v1/shortLinks", .shortLinks),
        .firebase(.post, "/v1/managedShortLinks:create", .managedShortLinks, [409]),
        .firebase(.get, "/v1/{link}/linkStats", .linkStatistics),
        .firebase(.post, "/v1/reopenAttribution", .reopenAttribution),
        .firebase(.post, "/v1/exchangeShortLink", .exchangeShortLink),
        .firebase(.post, "/v1/installAttribution", .installAttribution),
        .hoko(.post, "/v2/smartlinks", .create, limit: .create, [422], HokoSmartlinks.create),
        .hoko(.get, "/v2/smartlinks", .read, limit: .list, [], HokoSmartlinks.list),
        .hoko(.get, "/v2/smartlinks/{code}", .read, [], HokoSmartlinks.read),
        .hoko(.post, "/v2/smartlinks/resolve", .resolve, limit: .resolve, [422], HokoResolving.resolve),
        .hoko(.get, "/v2/smartlinks/metadata", .resolve, limit: .resolve, [409], HokoResolving.metadata),
        .hoko(.post, "/v2/smartlinks/redeem", .resolve, limit: .resolve, [409, 422], HokoResolving.redeem),
        .hoko(.post, "/v2/smartlinks/open", .resolve, limit: .event, [422], HokoReports.open),
        .hoko(.post, "/v2/routes", .resolve, limit: .event, [422], HokoReports.registerRoute),
        .hoko(.post, "/v2/installs/ios", .resolve, limit: .event, [422], HokoReports.installIOS),
        .hoko(.post, "/v2/installs/android", .resolve, limit: .event, [422], HokoReports.installAndroid),
        .hoko(.get, "/v2/version", .resolve, [], HokoReports.version),
        .open("/lazy", .lazy, [200, 301, 302, 307, 308, 400, 404, 410, 429, 503]),

        .open("/.well-known/apple-app-site-association", .appleAssociation, compressible: true, [200, 404, 503]),
        .open("/apple-app-site-association", .appleAssociation, compressible: true, [200, 404, 503]),
        .open("/.well-known/assetlinks.json", .assetLinks, compressible: true, [200, 404, 503]),
        .open(
            "/.well-known/acme-challenge/{token}", .acmeChallenge, [200, 206, 301, 304, 404, 412, 416, 503]),
        .file("/.well-known/{file}", .wellKnown),
        .open("/healthz", .health, [200]),
        .open("/readyz", .readiness, [200, 503]),
        .open("/metrics", .metrics, adminOnly: true, compressible: true, [200]),
        .file("/_/openapi.json", .openAPI),
        .open("/_/problems", .problems, [200]),
        .mcp(.post, [200, 202, 400, 401, 403, 406, 413, 415, 429, 503]),
        .mcp(.get, [405]),
        .mcp(.delete, [405]),
        .open("/_/llms.txt", .documentationIndex, adminOnly: true, [200, 304, 412]),
        .open("/_/docs/{name}.md", .documentation, adminOnly: true, [200, 304, 404, 412]),
        .session(.post, [200, 201, 204, 400, 409, 413, 415, 422]),
        .session(.get, [200]),
        .session(.delete, [204]),
        .file("/_/", .startPage, adminOnly: true),
        .file("/_/association", .associationPage, adminOnly: true),
        .file("/_/reference", .referencePage, adminOnly: true),
        .file("/_/{file}", .file),
        .file("/favicon.ico", .rootFile),
        .file("/robots.txt", .rootFile),
        .open("/", .root, [200, 301, 302, 307, 308, 400, 404, 503]),
        .open("/{slug}/qr.png", .qrCode(.png), [200, 304, 404, 410, 412, 422, 429, 503]),
        .open("/{slug}/qr.svg", .qrCode(.svg), [200, 304, 404, 410, 412, 422, 429, 503]),
        .open("/{slug}", .visit, [200, 301, 302, 307, 308, 400, 404, 410, 429, 503]),
    ]
}
