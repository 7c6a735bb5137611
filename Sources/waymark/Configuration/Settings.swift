import Foundation
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// All settings, one row each. A row is all that is needed to add a setting to the configuration file, the
/// environment, the flags and their help, `check-config --json`, reloads, and docs/operations/configuration.md
/// (`Scripts/settings-table`). The value of the row `threads` is `configuration.threads`.
struct Settings: Sendable {
    static let table = Settings()
    /// In the order of the rows.
    static let all = Mirror(reflecting: table).children.compactMap { $0.value as? any AnySetting }

    let config = Setting(
        "config", .path, from: [.flag, .variable], defaultText: "\(Configuration.defaultFile) if it exists",
        reload: .needsRestart, "Configuration file")

    // MARK: Addresses and TLS

    let listen = Setting(
        "listen", .addresses(allowsNone: false), from: .all, default: ListenSetting.standard, "127.0.0.1:8080",
        reload: .needsRestart, page: "#addresses", "Addresses to listen on")
    let tlsListen = Setting(
        "tlsListen", .addresses(), from: .all, default: [], "off", reload: .needsRestart, page: "tls.md",
        "Addresses to listen on for TLS")
    let certificate = Setting(
        "certificate", .namedPath, from: [.flag, .variable], reload: .needsRestart,
        "TLS certificate and its chain, PEM; replaces the certificates of the file")
    let privateKey = Setting(
        "privateKey", .namedPath, from: [.flag, .variable], reload: .needsRestart,
        "Private key of that certificate, PEM, without a passphrase")
    let certificates = Setting(
        "certificates", .certificates, default: [], "none", reload: .applies, page: "tls.md",
        "TLS certificates; clients whose host none of them covers get the first one")
    let acme = Setting(
        "acme", .acme, defaultText: "off", reload: .needsRestart, page: "certificates.md",
        "Certificates from an authority, for the hosts of applications")
    let unknownNames = Setting(
        "unknownNames", .choice(), default: UnknownNames.accept, reload: .applies, page: "tls.md",
        "Whether TLS clients that name a host without a certificate are accepted")
    let strictTransportSecurity = Setting(
        "hsts", .strictTransportSecurity, defaultText: "off", reload: .needsRestart, page: "tls.md#hsts",
        "Strict-Transport-Security header of every response over TLS")
    let secureRedirect = Setting(
        "httpsRedirect", .secureRedirect, defaultText: "off", reload: .needsRestart,
        page: "tls.md#plain-http-to-https", "Listeners that redirect plain HTTP to HTTPS")
    let adminListen = Setting(
        "adminListen", .address, from: .all, defaultText: "off", reload: .needsRestart, page: "#addresses",
        "Address for the operators' paths, which are served only there when it is set")

    // MARK: Storage and threads

    let database = Setting(
        "database", .database, from: .all, default: .file("data/waymark.sqlite"), reload: .needsRestart,
        "Where links are stored")
    let minimumFreeDisk = Setting(
        "minimumFreeDisk", .integer(0...1_099_511_627_776), default: 16_777_216, reload: .needsRestart,
        page: "monitoring.md#a-full-disk",
        "Free bytes of the disk of an SQLite database below which the server is not ready")
    let threads = Setting(
        "threads", .integer(1...256), from: .all, default: max(1, ProcessInfo.processInfo.activeProcessorCount),
        "number of cores", reload: .needsRestart, "Event-loop threads")
    let eventLoop = Setting(
        "eventLoop", .choice(), from: .all, default: EventLoopKind.standard, "epoll on Linux, dispatch elsewhere",
        reload: .needsRestart, "Event-loop implementation")
    let publicFolder = Setting(
        "public", .folder, from: .all, defaultText: "the files of the executable", reload: .needsRestart,
        page: "#files", "Folder of pages and other files")
    let applicationsFile = Setting(
        "applications", .path, reload: .applies, page: "../guide/concepts.md#applications",
        "File with an array of applications")
    let blockedHostsFile = Setting(
        "blockedHostsFile", .path, reload: .applies, page: "../guide/destinations.md#hosts-blocked-for-everyone",
        "File with hosts that no link may lead to")
    let countryFile = Setting(
        "countryFile", .path, reload: .applies, page: "../guide/rules.md#how-visitors-are-recognised",
        "File in MaxMind's format (GeoLite2-Country, DB-IP, IPinfo) to look up the country of an address when no proxy names it"
    )
    let cacheBytes = Setting(
        "cacheBytes", .integer(1_048_576...1_099_511_627_776), default: MachineMemory.current.cacheBytes,
        "an eighth of the memory, at least 64 MiB", reload: .needsRestart, page: "../performance/redirect.md",
        "Memory for cached links and the responses to their visits, in bytes")
    let staleSeconds = Setting(
        "staleSeconds", .integer(0...604_800), default: 86_400, reload: .needsRestart,
        "How long cached links are served while PostgreSQL is unavailable, in seconds")
    let clicks = Setting(
        "clicks", .object(ClickSettings(), ClickSettings.members), default: ClickSettings(), "see there",
        reload: .needsRestart, page: "../guide/clicks.md#settings", "What is recorded of clicks, and for how long")
    let clickhouse = Setting(
        "clickhouse", ClickHouseSetting.type, reload: .needsRestart, page: "clickhouse.md",
        "ClickHouse that gets a row for each click")
    let audit = Setting(
        "audit", .object(AuditSettings(), AuditSettings.members), default: AuditSettings(), "see there",
        reload: .needsRestart, page: "../reference/audit.md", "How long the audit is stored")
    let imports = Setting(
        "imports", .object(ImportSetting(), ImportSetting.members), default: ImportSetting(), "see there",
        reload: .needsRestart, page: "../reference/imports.md#limits", "Size and number of imports over the API")
    let webhooks = Setting(
        "webhooks", .object(WebhookSetting(), WebhookSetting.members), default: WebhookSetting(), "see there",
        reload: .needsRestart, page: "../reference/imports.md#addresses",
        "Networks that are not public and that callers may make the server send requests to, also over plain http")
    let verification = Setting(
        "verification", VerificationSetting.type, defaultText: "off", reload: .needsRestart,
        page: "../guide/verification.md#settings", "How often links are verified, and how politely")
    let metadataKeySettings = Setting(
        "metadataKeys", .metadataKeys, from: [.file, .variable], default: [], "none; metadata is stored as sent",
        reload: .applies, page: "metadata-encryption.md",
        "Keys for encryption at rest; the first one encrypts, all of them decrypt")

    let dashboard = Setting(
        "dashboard", .object(DashboardSetting(), DashboardSetting.members), default: DashboardSetting(), "see there",
        reload: .needsRestart, page: "../reference/dashboard.md#signing-in",
        "Networks whose browsers may sign in over plain HTTP, and whether API keys sign in")
    let oidc = Setting(
        "oidc", OpenIDSetting.type, reload: .needsRestart, page: "../reference/people.md#single-sign-on",
        "Provider of OpenID Connect whose accounts sign people in")
    let proxySignIn = Setting(
        "proxySignIn", ProxySignInSetting.type, reload: .needsRestart, page: "../reference/people.md#behind-a-proxy",
        "Header field in which trusted proxies name the person who signs in")
    let assistants = Setting(
        "assistants", .object(AssistantSettings(), AssistantSettings.members), default: AssistantSettings(),
        "see there", reload: .needsRestart, page: "../reference/assistants.md#changes-of-many-links",
        "How many links an assistant changes in one request without a plan")

    // MARK: Limits and logs

    let limits = Setting(
        "limits", .object(ServerLimits(), ServerLimits.members), default: ServerLimits(), "see there",
        reload: .applies, page: "limits.md", "Sizes, connections, deadlines")
    let accessLog = Setting(
        "accessLog", AccessLogSetting.type, default: .withoutVisits, reload: .needsRestart, page: "metrics.md#logs",
        "Logged requests: true everything, false everything except redirects and probes, N one in N of the redirects too"
    )
    let accessLogFormat = Setting(
        "accessLogFormat", .choice(), default: AccessLogFormat.json, reload: .needsRestart,
        page: "metrics.md#access-log",
        "Form of the access log: JSON, Combined Log Format, or JSON with referrer and protocol")
    let accessLogFile = Setting(
        "accessLogFile", .logFile, defaultText: "standard output", reload: .applies, page: "metrics.md#logs",
        "File of the access log, reopened on SIGHUP")
    let logLevel = Setting(
        "logLevel", .choice(), default: LogLevel.info, reload: .applies, page: "metrics.md#logs",
        "Lowest level that is logged")
    let logFormat = Setting(
        "logFormat", .choice(), default: LogFormat.text, reload: .applies, page: "metrics.md#error-log",
        "Form of the error log: lines of text, or one JSON object a line")

    // MARK: Clients and proxies

    let trustedProxies = Setting(
        "trustedProxies", .trustedProxies, default: TrustedProxies(), "none", reload: .needsRestart,
        page: "reverse-proxy.md", "Proxies that may say which client they forward")
    let forwardedFields = Setting(
        "forwardedFields", .choice(), default: ForwardedFields.either, reload: .needsRestart,
        page: "reverse-proxy.md", "Header fields that trusted proxies name their clients in")
    let countryHeader = Setting(
        "countryHeader", .headerName, reload: .needsRestart, page: "../guide/rules.md#how-visitors-are-recognised",
        "Header field in which trusted proxies name a visitor's country (ISO 3166-1 alpha-2), such as CF-IPCountry")
    let callerLimits = Setting(
        "rateLimits", .callerLimits, default: CallerLimits(), "see there", reload: .applies, page: "rate-limits.md",
        "Requests per minute for callers")
    let adminKey = Setting(
        "adminKey", .adminKey, from: .variable, reload: .needsRestart,
        "Bootstrap admin key, valid while the variable is set")
}

/// The level of the log on standard error.
enum LogLevel: String, CaseIterable, Sendable { case debug, info, notice, warning, error }

/// The form of the log on standard error.
enum LogFormat: String, CaseIterable, Sendable { case text, json }
