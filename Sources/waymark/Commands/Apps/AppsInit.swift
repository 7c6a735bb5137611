import ArgumentParser
import Foundation
import WaymarkJSON

extension AppsCommand {
    /// `waymark apps init`: makes an application from a few answers.
    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Make an application from a few answers: a file, or with --url on a server.",
            discussion: """
                Asks on the terminal for what no flag gives. Without a terminal it asks nothing, and needs --domain and one \
                of --bundle-id with --team-id and --package with --fingerprint.
                """)

        @Option(
            name: .long, help: ArgumentHelp("The iOS app's bundle identifier; \"\" for none.", valueName: "identifier"))
        var bundleID: String?

        @Option(name: .long, help: ArgumentHelp("The Apple team ID, such as ABCDE12345.", valueName: "team"))
        var teamID: String?

        @Option(name: .long, help: ArgumentHelp("The Android app's package; \"\" for none.", valueName: "package"))
        var package: String?

        @Option(
            name: .long,
            help: ArgumentHelp("The SHA-256 fingerprint of the Android app's signing certificate.", valueName: "sha256")
        )
        var fingerprint: String?

        @Option(name: .long, help: ArgumentHelp("The host of its links, such as go.example.com.", valueName: "host"))
        var domain: String?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "A second host, such as open.example.com, through which pages on iPhones open the app.",
                valueName: "host"))
        var openHost: String?

        @Option(name: .long, help: "The name that visitors see. [default: the id]")
        var name: String?

        @Option(
            name: .long,
            help: "The application's id. [default: the last part of the bundle identifier or the package]")
        var id: String?

        @Flag(name: .long, help: "Replace a file or an application of this id.")
        var force = false

        @OptionGroup var client: ClientOptions

        mutating func run() async throws {
            guard client.config == nil, client.database == nil else {
                throw CommandFailure.usage(
                    "apps init writes a file, or to --url; put the file into a database with waymark apps apply")
            }
            let remote = try client.named()
            var answers = ApplicationAnswers(
                bundleID: bundleID, teamID: teamID, package: package, fingerprint: fingerprint, domain: domain,
                openHost: openHost, name: name, id: id)
            try answers.complete(asking: Prompt.terminal)
            for warning in answers.warnings { StandardError.write("warning: \(warning)") }
            let document = answers.document
            let id = answers.resolvedID
            var steps = ApplicationSteps(answers)
            if let remote {
                try await ApplicationUpload(id: id, document: document, replaces: force).send(to: remote)
            } else {
                let file = "\(id).json"
                try write(document, to: file)
                steps.file = file
            }
            print(client.json ? steps.jsonValue(document).text(style: .pretty) : steps.text)
        }

        private func write(_ document: JSONValue, to file: String) throws {
            let data = Data((document.text(style: .pretty) + "\n").utf8)
            do {
                try data.write(to: URL(fileURLWithPath: file), options: force ? .atomic : .withoutOverwriting)
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                throw CommandFailure.usage(
                    "\(file): the file is there already; give another --id, or --force to replace it")
            } catch {
                throw CommandFailure.failed("\(file): the file can't be written: \(error.localizedDescription)")
            }
        }
    }
}

/// What is left to do after `waymark apps init`.
struct ApplicationSteps {
    /// Nil: the application is on a server.
    var file: String?
    private let id: String
    private let domain: String
    private let openHost: String?
    private let hasIOSApp: Bool
    private let hasAndroidApp: Bool

    init(_ answers: ApplicationAnswers) {
        id = answers.resolvedID
        domain = answers.domain ?? ""
        openHost = answers.openHost
        hasIOSApp = answers.hasIOSApp
        hasAndroidApp = answers.hasAndroidApp
    }

    /// The entry of the app's Associated Domains entitlement.
    private var entitlement: String { "applinks:\(domain)" }

    /// For the activity that opens links.
    private var intentFilter: String {
        """
        <intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data android:scheme="https" android:host="\(domain)" />
        </intent-filter>
        """
    }

    var text: String {
        var steps: [String] = []
        if let file { steps.append("Put it on the server: waymark apps apply \(file)") }
        let hosts = [domain, openHost].compactMap(\.self).joined(separator: " and ")
        steps.append("DNS: add A and AAAA records that point \(hosts) to the server.")
        steps.append("Check it: waymark doctor \(domain)")
        if hasIOSApp {
            let lines = openHost.map { "lines: \(entitlement) and applinks:\($0)" } ?? "line: \(entitlement)"
            steps.append("Xcode, Signing & Capabilities, Associated Domains, add the \(lines)")
            if openHost == nil {
                steps.append(
                    """
                    With an ios.urlScheme, set openHost to a second domain too, such as open.example.com (--open-host): a \
                    page on an iPhone then opens the app, or the store where the app is missing, without an error.
                    """)
            }
        }
        if hasAndroidApp {
            let filter = intentFilter.split(separator: "\n").map { "       \($0)" }.joined(separator: "\n")
            steps.append("AndroidManifest.xml, in the activity that opens links:\n\(filter)")
        }
        let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return ([file.map { "wrote \($0)" } ?? "put \(id) on the server", "", "Next:"] + lines).joined(separator: "\n")
    }

    func jsonValue(_ document: JSONValue) -> JSONValue {
        [
            "app": document, "file": file.map { JSONValue($0) } ?? .null,
            "entitlement": hasIOSApp ? JSONValue(entitlement) : .null,
            "intentFilter": hasAndroidApp ? JSONValue(intentFilter) : .null,
        ]
    }
}
