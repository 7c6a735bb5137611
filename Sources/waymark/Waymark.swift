import ArgumentParser

/// The command line. Exit statuses: 0 success, 1 failure, 2 an invalid flag, value, key or file: nothing was started.
@main
struct Waymark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "A self-hosted smart-link service.",
        discussion: """
            Links lead every person to the right place: into the iOS or Android app, to the store, or to the web page. \
            Start with `waymark serve`; `waymark serve --help` lists all settings.
            """,
        version: "waymark \(Version.text) (schema \(Version.schema))",
        subcommands: [
            Serve.self, CheckConfig.self, StatusCommand.self, DoctorCommand.self, DashboardCommand.self,
            KeysCommand.self, PeopleCommand.self, OIDCCommand.self, AuditCommand.self, WebhooksCommand.self,
            ClickHouseCommand.self,
            AppsCommand.self,
            DomainsCommand.self,
            LinksCommand.self, TestCommand.self, PlanCommand.self, ApplyCommand.self,
            LoginCommand.self, LogoutCommand.self, ProfilesCommand.self, ConversionsCommand.self,
            ExplainCommand.self, AssociationCommand.self,
            BackupCommand.self, ExportCommand.self, ImportCommand.self, ClicksCommand.self,
            MigrateCommand.self, CheckCommand.self, MCPCommand.self, KuttRows.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Exit.with(error)
        }
    }
}
