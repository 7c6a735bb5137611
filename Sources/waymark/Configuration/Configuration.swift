import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// Everything that `waymark serve` can be told, checked and complete. Read once, at start and on SIGHUP.
struct Configuration: Sendable {
    /// Addresses for everybody. Default: `127.0.0.1:8080`.
    var listen: [ListenSetting]
    /// Addresses for everybody, over TLS. Default: none.
    var tlsListen: [ListenSetting]
    /// What is shown there; at least one where `tlsListen` is set. The first is for hosts that none is valid for.
    var certificates: [CertificateSetting]
    /// What a client gets that names a host for which there is no certificate. Default: `accept`.
    var unknownNames: UnknownNames
    /// Said in every answer over TLS. Default: nothing.
    var strictTransportSecurity: StrictTransportSecurity?
    /// Addresses whose plain HTTP is sent to HTTPS. Default: none.
    var secureRedirect: HTTPSRedirectSetting?
    /// Where set, what operators use answers only there. Default: off.
    var adminListen: ListenSetting?
    /// Default: `sqlite:data/waymark.sqlite`.
    var database: DatabaseURL
    /// Event-loop threads, 1–256. Default: number of cores.
    var threads: Int
    /// Default: `epoll` on Linux, `dispatch` elsewhere.
    var eventLoop: EventLoopKind
    /// The folder of the built-in pages and of the operator's own files. Default: `Public`.
    var publicFolder: String
    /// A file with an array of applications.
    var applicationsFile: String?
    /// A file with hosts that no link may lead to. Default: none.
    var blockedHostsFile: String?
    var countryFile: String?
    /// Memory for cached links, in bytes. Default: 67,108,864 (64 MiB); from 1 MiB.
    var cacheBytes: Int
    /// How long cached links are served while the database is away, in seconds. Default: 86,400 (a day); up to a week.
    var staleSeconds: Int
    /// What is kept of clicks. Defaults: `docs/guide/clicks.md`.
    var clicks: ClickSettings
    /// What clients are granted. Defaults: `docs/operations/limits.md`.
    var limits: ServerLimits
    /// What is written to the access log. Default: everything but visits of links.
    var accessLog: AccessLogSetting
    /// Default: standard output.
    var accessLogFile: String?
    var logLevel: LogLevel
    /// Whose word about their clients counts. Default: nobody's.
    var trustedProxies: TrustedProxies
    /// In which fields they say it. Default: `either`.
    var forwardedFields: ForwardedFields
    /// The field in which those proxies name a visitor's country. Default: none.
    var countryHeader: HeaderName?
    /// What callers may ask for in a minute.
    var callerLimits: CallerLimits
    /// Under which metadata is stored; the first one seals. Default: none, and metadata is stored as it is.
    var metadataKeys: [MetadataKeyValue]
    /// Only from the environment, never stored.
    var adminKey: KeyText?

    /// The file that was read, for messages; nil where there was none.
    var file: String?

    static let defaultFile = "Config/waymark.json"
}

/// How much is logged, on standard error.
enum LogLevel: String, CaseIterable, Sendable { case debug, info, notice, warning, error }

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The values as a message lists them: `epoll, dispatch`.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Configuration {
    /// The keys of `fresh` that differ and that a running service can't take over.
    func needingRestart(comparedTo fresh: Configuration) -> [String] {
        var keys: [String] = []
        if listen != fresh.listen { keys.append("listen") }
        if tlsListen != fresh.tlsListen { keys.append("tlsListen") }
        if strictTransportSecurity != fresh.strictTransportSecurity { keys.append("hsts") }
        if secureRedirect != fresh.secureRedirect { keys.append("httpsRedirect") }
        if adminListen != fresh.adminListen { keys.append("adminListen") }
        if database != fresh.database { keys.append("database") }
        if threads != fresh.threads { keys.append("threads") }
        if eventLoop != fresh.eventLoop { keys.append("eventLoop") }
        if publicFolder != fresh.publicFolder { keys.append("public") }
        if cacheBytes != fresh.cacheBytes { keys.append("cacheBytes") }
        if staleSeconds != fresh.staleSeconds { keys.append("staleSeconds") }
        if clicks != fresh.clicks { keys.append("clicks") }
        if trustedProxies != fresh.trustedProxies { keys.append("trustedProxies") }
        if forwardedFields != fresh.forwardedFields { keys.append("forwardedFields") }
        if countryHeader != fresh.countryHeader { keys.append("countryHeader") }
        if accessLog != fresh.accessLog { keys.append("accessLog") }
        return keys
    }
}
