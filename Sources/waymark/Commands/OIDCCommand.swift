import ArgumentParser
import WaymarkLinks
import WaymarkSignIn
import WaymarkSite
import WaymarkSockets

/// `waymark oidc`: what a provider of OpenID Connect says about itself.
struct OIDCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oidc", abstract: "Check the provider of OpenID Connect that signs people in.",
        subcommands: [Check.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch the provider's discovery document and keys, and print the callback address.",
            discussion: """
                Asks from this machine, as the server does. Exit status: 0 good, 1 something is wrong, which is printed, 2 the \
                configuration has no usable oidc.
                """)

        @Option(name: .long, help: "The configuration file. Default: $WAYMARK_CONFIG, then /etc/waymark/waymark.json.")
        var config: String?

        mutating func run() async throws {
            let configuration = try Configuration(config: config, database: nil)
            guard let setting = configuration.oidc else {
                throw CommandFailure.usage("oidc of the configuration is not set: no provider signs people in")
            }
            let state = try await ProviderState(setting, configuration)
            print(Self.text(setting, state, configuration))
            StandardOutput.flush()
            if let fault = state.fault { throw CommandFailure.failed(fault) }
        }

        private static func text(
            _ setting: OpenIDSetting, _ state: ProviderState, _ configuration: Configuration
        ) -> String {
            var rows = [("issuer", setting.issuer), ("client", setting.clientID)]
            if let metadata = state.metadata {
                rows += [
                    ("sign-in", metadata.authorizationEndpoint), ("tokens", metadata.tokenEndpoint),
                    ("keys", "\(state.keyCount.counted("usable key")) at \(metadata.keySetURL)"),
                    ("sign-out", metadata.endSessionEndpoint ?? "none: the provider's own session stays"),
                ]
            }
            let hosts = configuration.acme?.hosts.map(\.text) ?? []
            rows += ProviderState.callbacks(configuration).map { ("callback", $0) }
            let lines = rows.map { name, value in
                name + String(repeating: " ", count: 10 - name.utf8.count) + value.shown()
            }
            let note =
                hosts.isEmpty
                ? "Register the callback at the provider, with the host at which people open the dashboard."
                : "Register the callback of the host at which people open the dashboard."
            return (lines + [note]).joined(separator: "\n")
        }
    }
}

/// What a provider answers now.
struct ProviderState {
    private(set) var metadata: OpenIDMetadata?
    private(set) var keyCount = 0
    /// One line without a full stop; nil: all is good.
    private(set) var fault: String?

    init(_ setting: OpenIDSetting, _ configuration: Configuration) async throws {
        let provider = try setting.provider(
            allowing: configuration.webhooks.allowedNetworks, now: { WallClock.milliseconds() / 1_000 })
        do throws(OpenIDFailure) {
            (metadata, keyCount) = try await provider.provider.check()
            if keyCount == 0 { fault = "the provider's key set has no key that can check a token" }
        } catch {
            fault = error.reason
        }
    }

    /// With the hosts of the configuration, where it has any.
    static func callbacks(_ configuration: Configuration) -> [String] {
        let hosts = configuration.acme?.hosts.map(\.text) ?? []
        return (hosts.isEmpty ? ["HOST"] : hosts).map { "https://\($0)/_/oidc/callback" }
    }

    /// For `waymark doctor`; nil where no provider is configured.
    static func finding(_ configuration: Configuration) async -> DoctorFinding? {
        guard let setting = configuration.oidc else { return nil }
        do {
            let state = try await ProviderState(setting, configuration)
            guard let fault = state.fault else {
                let keys = state.keyCount.counted("usable key")
                return .ok(
                    .provider,
                    "\(setting.issuer) answers, with \(keys); its callback is \(callbacks(configuration)[0])")
            }
            return .finding(.provider, "\(setting.issuer): \(fault)", fix: "see waymark oidc check")
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            return .finding(.provider, reason, fix: "correct oidc of the configuration")
        }
    }
}
