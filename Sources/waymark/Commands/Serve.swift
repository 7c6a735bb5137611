import ArgumentParser
import WaymarkJSON
import WaymarkSite
import WaymarkTLS

/// Runs the service until a signal ends it.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service.",
        discussion: """
            A flag beats the environment, which beats the file, which beats the default. SIGTERM and SIGINT finish what \
            was begun and exit 0; a second one cuts off what is not finished and exits 1, or 0 where nothing was left. \
            SIGHUP reads configuration, applications and certificates again.
            """)

    @OptionGroup var options: ServeOptions

    @Flag(
        name: .long,
        help: "Show made-up links and clicks, which everybody may read and nobody may change. Nothing is stored.")
    var demo = false

    /// Read at the start, and again on SIGHUP.
    private static func configuration(_ flags: [String: JSONValue], isDemo: Bool) throws -> Configuration {
        let configuration = try Configuration(flags: flags)
        return isDemo ? configuration.forDemo() : configuration
    }

    mutating func run() async throws {
        let (flags, isDemo) = (options.flags, demo)
        // Before anything is started, so that no signal triggers its default action.
        let signals = SignalStream()
        let configuration = try Self.configuration(flags, isDemo: isDemo)
        let running = try await RunningService.start(configuration, onFailure: signals.requestStop)
        var stopping: Task<Void, Never>?
        var closeAll = 0
        for await signal in signals.received {
            switch signal {
            case .reload where stopping == nil:
                await running.reload { try Self.configuration(flags, isDemo: isDemo) }
            case .reload: break
            case .stop where stopping == nil:
                let finish = signals.finish
                stopping = Task {
                    await running.stop()
                    finish()
                }
            case .stop:
                // Clients that are left are disconnected, and the store is closed properly. A third signal ends the
                // process at once.
                signals.exitOnNextStop()
                closeAll += await running.forceStop()
            }
        }
        if let failure = await running.failure { throw failure }
        if closeAll > 0 {
            throw CommandFailure.failed(
                "stopped at once: \(closeAll) \(closeAll == 1 ? "connection was" : "connections were") cut off")
        }
    }
}

/// Checks the configuration of `serve` without starting anything.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check flags, environment, configuration file and applications file, and start nothing.")

    @OptionGroup var options: ServeOptions

    @Flag(name: .long, help: "Print what would be used, as JSON.")
    var json = false

    mutating func run() throws {
        let configuration = try Configuration(flags: options.flags)
        _ = try configuration.certificateTable(keys: TicketKeys())
        _ = try ApplicationsFile.read(configuration.applicationsFile)
        _ = try BlockedHostsFile.read(configuration.blockedHostsFile)
        _ = try CountryFileSetting.lookup(configuration.countryFile)
        _ = try configuration.clickHouseClient()
        if json { print(configuration.document.text(style: .pretty)) }
    }
}
