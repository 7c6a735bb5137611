import ArgumentParser
import WaymarkBytes
import WaymarkJSON
import WaymarkSite
import WaymarkStores

/// `waymark domains`: the hosts of applications and their certificates.
struct DomainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains",
        abstract: "List domains, their certificates and association files, and revoke a certificate.",
        subcommands: [List.self, Files.self, Revoke.self])

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

    struct Files: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the association files, who fetched them last, and until when devices may have old ones.",
            discussion: """
                SINCE is when the version that is served replaced another one. APPLE and GOOGLE are their last fetches, with the \
                status of the response; "old" follows where it was another version.
                """)

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            try await client.perform {
                try await $0.json("GET", "/api/v1/domains")
            } text: {
                Table(
                    ["DOMAIN", "FILE", "SINCE", "APPLE", "GOOGLE", "OLD ON DEVICES UNTIL"],
                    ($0["domains"]?.array ?? []).flatMap { domain in
                        AssociationFileName.allCases.compactMap { name in
                            domain["association"]?[name.rawValue].map { file in
                                Self.row(domain["domain"]?.string ?? "", name.rawValue, file)
                            }
                        }
                    }
                ).text
            }
        }

        static func row(_ domain: String, _ name: String, _ file: JSONValue) -> [String] {
            let etag = file["etag"]
            func fetch(_ service: String) -> String {
                guard let fetch = file["fetches"]?[service], let last = fetch["last"]?.string else { return "never" }
                let status = fetch["status"]?.integer.map { " (\($0))" } ?? ""
                return last + status + (fetch["etag"] == etag ? "" : " old")
            }
            let isPending = file["pending"] == true
            let until = file["devicesMayHoldOldUntil"]?.string.map { isPending ? "not before \($0)" : $0 } ?? ""
            return [
                domain, etag == .null ? "no \(name)" : name, file["since"]?.string ?? "", fetch("apple"),
                fetch("google"), until,
            ]
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
