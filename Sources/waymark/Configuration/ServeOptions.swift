import ArgumentParser
import Foundation
import WaymarkServer
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// The flags of `serve` and `check-config`. A flag beats the environment, which beats the file, which beats the default.
struct ServeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file. [WAYMARK_CONFIG; default: \(Configuration.defaultFile) where it exists]",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            """
            Where to listen: HOST:PORT, unix:PATH, systemd or systemd:NAME, each perhaps with ,proxy behind it for the \
            PROXY protocol; may be repeated. [WAYMARK_LISTEN, separated by commas; default: 127.0.0.1:8080]
            """,
            valueName: "address"))
    var listen: [String] = []

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "The same for TLS; may be repeated. [WAYMARK_TLS_LISTEN, separated by commas; default: off]",
            valueName: "address"))
    var tlsListen: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The certificate for TLS and those that issued it, PEM. [WAYMARK_CERTIFICATE]", valueName: "file"))
    var certificate: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Its private key, PEM, without a passphrase. [WAYMARK_PRIVATE_KEY]", valueName: "file"))
    var privateKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where operators' tools answer; where set, only there. [WAYMARK_ADMIN_LISTEN; default: off]",
            valueName: "address"))
    var adminListen: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where links are kept: \(DatabaseURL.allowed). [WAYMARK_DATABASE; default: sqlite:data/waymark.sqlite]",
            valueName: "url"))
    var database: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Event-loop threads. [WAYMARK_THREADS; default: number of cores]", valueName: "n"))
    var threads: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            "The folder of pages and of your own files. [WAYMARK_PUBLIC; default: Public]", valueName: "dir"))
    var publicFolder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "epoll or dispatch. [WAYMARK_EVENT_LOOP; default: epoll on Linux]", valueName: "kind"))
    var eventLoop: String?

    /// What all sources together say.
    func configuration(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Configuration {
        let variables = EnvironmentVariables(environment)
        let flags = try layer()
        let environment = try variables.layer()
        let file = try configurationFile(variables)
        let merged = flags.over(environment).over(try file?.layer() ?? ConfigurationLayer())
        let configuration = Configuration(
            listen: merged.listen ?? [ListenSetting("127.0.0.1:8080")].compactMap(\.self),
            tlsListen: merged.tlsListen?.value ?? [],
            certificates: try CertificateSetting.all(merged),
            unknownNames: merged.unknownNames ?? .accept,
            strictTransportSecurity: merged.strictTransportSecurity,
            secureRedirect: merged.secureRedirect,
            adminListen: merged.adminListen,
            database: merged.database ?? .file("data/waymark.sqlite"),
            threads: merged.threads ?? max(1, ProcessInfo.processInfo.activeProcessorCount),
            eventLoop: merged.eventLoop ?? .standard,
            publicFolder: merged.publicFolder ?? "Public",
            applicationsFile: merged.applicationsFile,
            blockedHostsFile: merged.blockedHostsFile, countryFile: merged.countryFile,
            cacheBytes: merged.cacheBytes ?? 67_108_864,
            staleSeconds: merged.staleSeconds ?? 86_400,
            clicks: merged.clicks ?? ClickSettings(),
            limits: merged.limits ?? ServerLimits(),
            accessLog: merged.accessLog ?? .withoutVisits,
            accessLogFile: merged.accessLogFile,
            logLevel: merged.logLevel ?? .info,
            trustedProxies: merged.trustedProxies ?? TrustedProxies(),
            forwardedFields: merged.forwardedFields ?? .either,
            countryHeader: merged.countryHeader,
            callerLimits: merged.callerLimits ?? CallerLimits(),
            metadataKeys: try MetadataKeyValue.all(merged.metadataKeys ?? [], environment: variables),
            adminKey: merged.adminKey,
            file: file?.path)
        try configuration.checkProxies()
        return configuration
    }

    private func configurationFile(_ variables: EnvironmentVariables) throws -> ConfigurationFile? {
        if let path = config ?? variables["WAYMARK_CONFIG"] { return try ConfigurationFile(path: path) }
        guard FileManager.default.fileExists(atPath: Configuration.defaultFile) else { return nil }
        return try ConfigurationFile(path: Configuration.defaultFile)
    }

    private func layer() throws -> ConfigurationLayer {
        var layer = ConfigurationLayer()
        layer.listen =
            listen.isEmpty ? nil : try listen.map { try ConfigurationValue.listen($0, name: "--listen") }
        layer.tlsListen =
            tlsListen.isEmpty
            ? nil
            : Named(
                try tlsListen.map { try ConfigurationValue.listen($0, name: "--tls-listen") }, name: "--tls-listen")
        layer.certificate = try certificate.map { try ConfigurationValue.namedPath($0, name: "--certificate") }
        layer.privateKey = try privateKey.map { try ConfigurationValue.namedPath($0, name: "--private-key") }
        layer.adminListen = try adminListen.map { try ConfigurationValue.listen($0, name: "--admin-listen") }
        layer.database = try database.map { try ConfigurationValue.database($0, name: "--database") }
        layer.threads = try threads.map {
            try ConfigurationValue.integer($0, name: "--threads", in: ConfigurationValue.threads)
        }
        layer.publicFolder = try publicFolder.map { try ConfigurationValue.folder($0, name: "--public") }
        layer.eventLoop = try eventLoop.map { try ConfigurationValue.choice($0, name: "--event-loop") }
        return layer
    }
}
