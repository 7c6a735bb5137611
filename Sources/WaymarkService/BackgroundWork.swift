package import Logging
package import WaymarkClient
package import WaymarkStores

/// Work that runs without a request: webhook deliveries, imports, and clicks on their way to ClickHouse. A site gives it orders, but it also runs without a site.
package struct BackgroundWork: Sendable {
    package struct Settings: Sendable {
        /// Settings of imports over the API.
        package var imports = ImportSettings()
        /// Sends webhooks, and asks the services that links are imported from. Default: to public addresses only.
        package var client: any HTTPSending = HTTPClient(.host(AddressRule()))
        /// Those of the store, which also seal the secrets of webhooks.
        package var metadataKeys = MetadataKeyRing()
        /// Where clicks are shipped from and to; nil: nowhere.
        package var shipping: (store: any SealingStore, client: ClickHouseClient)?

        /// Nil: links are not verified by themselves, but each on request.
        package var verification: VerificationSettings?

        package init() {}
    }

    package let imports: Imports
    package let deliveries: WebhookDispatcher
    /// Nil: ClickHouse is not configured.
    package let shipping: ClickDispatcher?
    package let verifier: LinkVerifier
    private let verifiesAll: Bool
    /// The management of webhooks, whose changes reach `deliveries` at once.
    package let webhooks: WebhookService

    /// - Parameter message: what webhooks send for an event, in JSON.
    package init(
        of service: LinkService, _ settings: Settings = Settings(),
        message: @escaping @Sendable (OutboxEvent, ApplicationDirectory) -> [UInt8], logger: Logger
    ) {
        imports = Imports(settings.imports, service, client: settings.client)
        let dependencies = service.dependencies
        let directory = service.applications.directory
        var environment = WebhookDispatcher.Environment(
            client: settings.client, body: { message($0, directory.current) },
            flushClicks: { try? await service.flushRecords() }, sha256: dependencies.sha256, now: dependencies.now,
            metadataKeys: settings.metadataKeys)
        environment.deletionTime = { service.deletionTime }
        let deliveries = WebhookDispatcher(store: service.webhooks, environment: environment, logger: logger)
        self.deliveries = deliveries
        shipping = settings.shipping.map { store, client in
            ClickDispatcher(
                store: store, client: client, sha256: dependencies.sha256, now: dependencies.now, logger: logger)
        }
        verifiesAll = settings.verification?.hasRounds == true
        verifier = LinkVerifier(
            service, settings.verification ?? VerificationSettings(client: settings.client), logger: logger)
        webhooks = WebhookService(
            store: service.webhooks, client: settings.client, metadataKeys: settings.metadataKeys,
            now: dependencies.now, randomBytes: dependencies.randomBytes, wake: { deliveries.resume($0) })
    }

    /// Starts deliveries and shipping, once the store can be read. Imports start by order.
    package func start() {
        deliveries.start()
        shipping?.start()
        if verifiesAll { verifier.start() }
    }

    /// Stops all. Imports stop after their current batch; deliveries and batches of clicks in progress get two seconds.
    package func stop() async {
        await imports.stop()
        async let shippingEnd: Void? = shipping?.stop()
        verifier.stop()
        await deliveries.stop()
        _ = await shippingEnd
    }
}
