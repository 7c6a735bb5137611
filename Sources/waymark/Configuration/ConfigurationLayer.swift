import Foundation
import WaymarkHTTP
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// What one source says: the flags, the environment or the file. Nil where it says nothing.
struct ConfigurationLayer: Sendable {
    var listen: [ListenSetting]?
    var tlsListen: Named<[ListenSetting]>?
    /// From flags and environment, which know one pair.
    var certificate: Named<String>?
    var privateKey: Named<String>?
    /// From the file.
    var certificates: [CertificateSetting]?
    var unknownNames: UnknownNames?
    var strictTransportSecurity: StrictTransportSecurity?
    var secureRedirect: HTTPSRedirectSetting?
    var adminListen: ListenSetting?
    var database: DatabaseURL?
    var threads: Int?
    var eventLoop: EventLoopKind?
    var publicFolder: String?
    var applicationsFile: String?
    var blockedHostsFile: String?
    var countryFile: String?
    var cacheBytes: Int?
    var staleSeconds: Int?
    var clicks: ClickSettings?
    var limits: ServerLimits?
    var accessLog: AccessLogSetting?
    var accessLogFile: String?
    var logLevel: LogLevel?
    var trustedProxies: TrustedProxies?
    var forwardedFields: ForwardedFields?
    var countryHeader: HeaderName?
    var callerLimits: CallerLimits?
    var metadataKeys: [MetadataKeySetting]?
    var adminKey: KeyText?

    /// This layer, and below it what `other` says.
    func over(_ other: ConfigurationLayer) -> ConfigurationLayer {
        ConfigurationLayer(
            listen: listen ?? other.listen,
            tlsListen: tlsListen ?? other.tlsListen,
            certificate: certificate ?? other.certificate,
            privateKey: privateKey ?? other.privateKey,
            certificates: certificates ?? other.certificates,
            unknownNames: unknownNames ?? other.unknownNames,
            strictTransportSecurity: strictTransportSecurity ?? other.strictTransportSecurity,
            secureRedirect: secureRedirect ?? other.secureRedirect,
            adminListen: adminListen ?? other.adminListen,
            database: database ?? other.database,
            threads: threads ?? other.threads,
            eventLoop: eventLoop ?? other.eventLoop,
            publicFolder: publicFolder ?? other.publicFolder,
            applicationsFile: applicationsFile ?? other.applicationsFile,
            blockedHostsFile: blockedHostsFile ?? other.blockedHostsFile,
            countryFile: countryFile ?? other.countryFile,
            cacheBytes: cacheBytes ?? other.cacheBytes,
            staleSeconds: staleSeconds ?? other.staleSeconds,
            clicks: clicks ?? other.clicks,
            limits: limits ?? other.limits,
            accessLog: accessLog ?? other.accessLog,
            accessLogFile: accessLogFile ?? other.accessLogFile,
            logLevel: logLevel ?? other.logLevel,
            trustedProxies: trustedProxies ?? other.trustedProxies,
            forwardedFields: forwardedFields ?? other.forwardedFields,
            countryHeader: countryHeader ?? other.countryHeader,
            callerLimits: callerLimits ?? other.callerLimits,
            metadataKeys: metadataKeys ?? other.metadataKeys,
            adminKey: adminKey ?? other.adminKey)
    }
}

/// The checks of single values, the same whatever source they come from. `name` is how the source calls the value:
/// `--threads`, `WAYMARK_THREADS`, `threads in Config/waymark.json`.
enum ConfigurationValue {
    static func listen(_ text: String, name: String) throws -> ListenSetting {
        guard let setting = ListenSetting(text) else { throw refusal(name, text, allowed: ListenSetting.allowed) }
        return setting
    }

    static func database(_ text: String, name: String) throws -> DatabaseURL {
        guard let database = DatabaseURL(text) else {
            // A mistyped URL with user information may hold a password.
            throw refusal(name, text.contains("@") ? "…" : text, allowed: DatabaseURL.allowed)
        }
        return database
    }

    static func integer(_ text: String, name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let value = Int(text), !text.hasPrefix("+"), range.contains(value) else {
            throw refusal(name, text, allowed: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: String, name: String
    ) throws -> Choice {
        guard let value = Choice(rawValue: text) else { throw refusal(name, text, allowed: Choice.list) }
        return value
    }

    static func path(_ text: String, name: String) throws -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw refusal(name, text, allowed: "a path") }
        return text
    }

    /// A folder that is there; where only the default names it, it may be missing.
    static func folder(_ text: String, name: String) throws -> String {
        let path = try path(text, name: name)
        // Safety, here and below: Foundation writes one ObjCBool through the pointer during the call.
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw refusal(name, text, allowed: "a folder that exists")
        }
        return path
    }

    /// A file that is there and can be written to, or could be made.
    static func logFile(_ path: String, name: String) throws -> String {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        let parent = (path as NSString).deletingLastPathComponent
        let isGood =
            unsafe files.fileExists(atPath: path, isDirectory: &isFolder)
            ? !isFolder.boolValue && files.isWritableFile(atPath: path)
            : files.isWritableFile(atPath: parent.isEmpty ? "." : parent)
        guard isGood else { throw refusal(name, path, allowed: "a file that can be written, in a folder that exists") }
        return path
    }

    static func refusal(_ name: String, _ value: String, allowed: String) -> CommandFailure {
        .usage("\(name): \"\(value)\" is not allowed; give \(allowed)")
    }

    static let threads = 1...256
    /// From 1 MiB to 1 TiB, in bytes.
    static let cacheBytes = 1_048_576...1_099_511_627_776
    /// From not at all to a week.
    static let staleSeconds = 0...604_800
}
