import ArgumentParser
import WaymarkBytes
import WaymarkJSON

/// `waymark webhooks`: makes, lists, changes and tries webhooks.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "Send events to other services.",
        subcommands: [
            Create.self, List.self, Enable.self, Disable.self, Rotate.self, Test.self, Deliveries.self, Replay.self,
            Delete.self, WebhooksListen.self,
        ])

    private static func path(_ id: String, _ more: String = "") -> String {
        "/api/v1/webhooks/\(PercentEncoding.encode(id))\(more)"
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a webhook; its secret is shown only once.")

        @Argument(help: "Where events are sent to: an https URL.")
        var endpoint: String

        @Option(
            name: .long, parsing: .singleValue,
            help: "A type of event (link.created), a group (link.*) or *; may be repeated.")
        var event: [String]

        @Option(name: .long, help: "The application whose events are sent; without it, those of all.")
        var app: String?

        @Option(name: .long, help: "What the webhook is for.")
        var name: String?

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            var body: JSONObject = ["url": JSONValue(endpoint), "events": JSONValue(event.map { JSONValue($0) })]
            if let app { body["app"] = JSONValue(app) }
            if let name { body["name"] = JSONValue(name) }
            let request = JSONValue(body)
            try await client.perform {
                try await $0.json("POST", "/api/v1/webhooks", request)
            } text: {
                "\($0["id"]?.string ?? "")\n\($0["secret"]?.string ?? "")"
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the webhooks, without their secrets.")

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/webhooks")
            } text: { answer in
                Table(
                    ["ID", "URL", "APP", "EVENTS", "STATE"],
                    (answer["webhooks"]?.array ?? []).map { webhook in
                        let failing = webhook["failingSince"]?.string.map { "failing since \($0)" }
                        return [
                            webhook["id"]?.string ?? "", webhook["url"]?.string ?? "",
                            webhook["app"]?.string ?? "all",
                            (webhook["events"]?.array ?? []).compactMap(\.string).joined(separator: ","),
                            webhook["disabledReason"]?.string.map { "disabled (\($0))" } ?? failing ?? "enabled",
                        ]
                    }
                ).text
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enable a webhook, and send waiting deliveries.")

        @OptionGroup var target: WebhookReference

        mutating func run() async throws {
            let id = target.id
            try await target.client.perform {
                try await $0.json("PATCH", path(id), ["disabled": false])
            } text: { _ in
                "enabled \(id)"
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Disable a webhook; events are not kept for it.")

        @OptionGroup var target: WebhookReference

        mutating func run() async throws {
            let id = target.id
            try await target.client.perform {
                try await $0.json("PATCH", path(id), ["disabled": true])
            } text: { _ in
                "disabled \(id)"
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a webhook another secret, shown only once; the current one stays valid for 24 hours.")

        @OptionGroup var target: WebhookReference

        mutating func run() async throws {
            let id = target.id
            try await target.client.perform {
                try await $0.json("POST", path(id, ":rotate"))
            } text: {
                $0["secret"]?.string ?? ""
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Send a test message.")

        @OptionGroup var target: WebhookReference

        mutating func run() async throws {
            let id = target.id
            try await target.client.perform {
                try await $0.json("POST", path(id, ":test"))
            } text: {
                $0["id"]?.string ?? ""
            }
        }
    }

    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List deliveries of a webhook, the newest first.")

        @OptionGroup var target: WebhookReference

        @Option(name: .long, help: "Only those in this state: delivered, waiting or failed.")
        var state: String?

        @Option(name: .long, help: "How many, at most 200.")
        var limit = 50

        mutating func run() async throws {
            let list =
                path(target.id, "/deliveries") + PercentEncoding.query([("state", state), ("limit", "\(limit)")])
            try await target.client.perform {
                try await $0.json("GET", list)
            } text: { answer in
                Table(
                    ["ID", "TYPE", "AT", "STATE", "ATTEMPTS", "LAST ANSWER"],
                    (answer["deliveries"]?.array ?? []).map { delivery in
                        let attempts = delivery["attempts"]?.array ?? []
                        let last = attempts.last
                        return [
                            delivery["id"]?.string ?? "", delivery["type"]?.string ?? "", delivery["at"]?.string ?? "",
                            delivery["state"]?.string ?? "", "\(attempts.count)",
                            last?["error"]?.string ?? last?["status"]?.integer.map { "\($0)" } ?? "",
                        ]
                    }
                ).text
            }
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Send messages again, with their ids.")

        @OptionGroup var target: WebhookReference

        @Argument(help: "The ids of messages, as `webhooks deliveries` shows them.")
        var messages: [String] = []

        @Option(name: .long, help: "All messages of events since this time, such as 2027-01-31T00:00:00Z.")
        var since: String?

        mutating func run() async throws {
            guard messages.isEmpty != (since == nil) else {
                throw CommandFailure.usage("give the ids of messages, or --since")
            }
            let body: JSONValue =
                since.map { ["since": JSONValue($0)] } ?? ["ids": JSONValue(messages.map { JSONValue($0) })]
            let id = target.id
            try await target.client.perform {
                try await $0.json("POST", path(id, "/deliveries:replay"), body)
            } text: {
                "sent again: \(($0["replayed"]?.integer ?? 0).counted("message"))"
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a webhook.")

        @OptionGroup var target: WebhookReference

        mutating func run() async throws {
            let id = target.id
            try await target.client.perform(.isDestructive) {
                try await $0.json("DELETE", path(id))
            } text: { _ in
                "deleted \(id)"
            }
        }
    }
}

/// Which webhook, and where it is.
struct WebhookReference: ParsableArguments {
    @Argument(help: "The webhook's id, as `webhooks list` shows it.")
    var id: String

    @OptionGroup var client: ClientOptions
}
