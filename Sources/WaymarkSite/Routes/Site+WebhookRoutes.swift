import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Webhooks and their deliveries.
    static let webhookRoutes: [SiteRoute] = [
        .api(
            .get, "/api/v1/webhooks", .admin, adminOnly: true, WebhookListHandler.answer,
            APIOperation(
                "listWebhooks", .webhooks, "List webhooks",
                "Those of the key's application, or all; without their secrets.",
                [.json(200, "WebhookList", "The oldest first.")])),
        .api(
            .post, "/api/v1/webhooks", .admin, body: .json, adminOnly: true, WebhookCreationHandler.answer,
            APIOperation(
                "createWebhook", .webhooks, "Make a webhook",
                """
                Events of these types are sent to the URL from now on, signed as Standard Webhooks 1.0.0 says. A URL \
                whose host has an address that is not public is refused, at creation and at each attempt; \
                `webhooks.allowedNetworks` of the configuration lifts that for networks, which may also be reached \
                over http.
                """,
                body: "WebhookBody", [.json(201, "Webhook", "With `secret`, shown this once.")])),
        .api(
            .get, "/api/v1/webhooks/{id}", .admin, adminOnly: true, WebhookReadingHandler.answer,
            APIOperation(
                "getWebhook", .webhooks, "Read a webhook", [.json(200, "Webhook", "Without its secret."), 404])),
        .api(
            .patch, "/api/v1/webhooks/{id}", .admin, body: .mergePatch, adminOnly: true, WebhookPatchHandler.answer,
            APIOperation(
                "patchWebhook", .webhooks, "Change a webhook",
                "A merge patch (RFC 7396). Enabling a disabled webhook sends what waits.", body: "WebhookPatch",
                [.json(200, "Webhook", "The webhook as it is now."), 404])),
        .api(
            .delete, "/api/v1/webhooks/{id}", .admin, adminOnly: true, WebhookDeletionHandler.answer,
            APIOperation(
                "deleteWebhook", .webhooks, "Delete a webhook",
                "Nothing is sent to it from the response on, except what is under way.",
                [.empty(204, "It is gone."), 404])),
        .api(
            .post, "/api/v1/webhooks/{id}:rotate", .admin, adminOnly: true, WebhookRotationHandler.answer,
            APIOperation(
                "rotateWebhookSecret", .webhooks, "Give a webhook another secret",
                "For 24 hours messages are signed with both secrets.",
                [.json(200, "WebhookSecret", "The new secret, shown this once."), 404])),
        .api(
            .post, "/api/v1/webhooks/{id}:test", .admin, adminOnly: true, WebhookTestHandler.answer,
            APIOperation(
                "testWebhook", .webhooks, "Send a test message",
                """
                Its type is `webhook.test`, whatever the webhook subscribes to. `deliveries` reports what became of \
                it.
                """,
                [.json(202, "WebhookTestAnswer", "The message is under way."), 404])),
        .api(
            .get, "/api/v1/webhooks/{id}/deliveries", .admin, query: DeliveryListHandler.parameters, adminOnly: true,
            DeliveryListHandler.answer,
            APIOperation(
                "listDeliveries", .webhooks, "List deliveries of a webhook",
                "Those of the last 30 days, the newest first.",
                [.json(200, "WebhookDeliveryList", "A page of deliveries."), 404])),
        .api(
            .post, "/api/v1/webhooks/{id}/deliveries:replay", .admin, body: .json, adminOnly: true,
            ReplayHandler.answer,
            APIOperation(
                "replayDeliveries", .webhooks, "Send messages again",
                "With the ids that they had, whatever became of them: one of `since` and `ids`.", body: "ReplayBody",
                [.json(202, "ReplayAnswer", "They are under way."), 404])),
    ]
}
