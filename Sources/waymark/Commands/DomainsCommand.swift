import ArgumentParser
import WaymarkBytes
import WaymarkJSON
import WaymarkSite

/// `waymark domains`: the hosts of applications and their certificates.
struct DomainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains", abstract: "List domains and their certificates, and revoke a certificate.",
        subcommands: [List.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the hosts of applications, their certificates, and why an order failed.",
            discussion: "Only a running server knows its certificates: give its --url.")

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/domains")
            } text: {
                Table(
                    ["DOMAIN", "APPLICATION", "CERTIFICATE", "UNTIL", "RENEWS", "PROBLEM"],
                    ($0["domains"]?.array ?? []).map { domain in
                        let certificate = domain["certificate"]
                        return [
                            domain["domain"]?.string ?? "", domain["app"]?.string ?? "",
                            certificate?["source"]?.string ?? "none", certificate?["until"]?.string ?? "",
                            certificate?["renewsAt"]?.string ?? "", domain["problem"]?["detail"]?.string ?? "",
                        ]
                    }
                ).text
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a certificate from an authority. The server orders a new one at once.")

        @Argument(help: "The host.")
        var host: String

        @Option(help: "\(RevocationReason.list).")
        var reason = RevocationReason.unspecified

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            let (host, reason) = (host, reason)
            try await client.perform(.isDestructive) { api in
                try await api.json(
                    "POST", "/api/v1/domains/\(PercentEncoding.encode(host)):revoke",
                    ["reason": JSONValue(reason.rawValue)])
            } text: { _ in
                "revoked the certificate of \(host)"
            }
        }
    }
}

extension RevocationReason: ExpressibleByArgument {}
