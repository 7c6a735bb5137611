import Foundation
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkSockets

/// The configuration file: one JSON object whose members are `keys`.
struct ConfigurationFile {
    static let keys = [
        "listen", "tlsListen", "certificates", "adminListen", "database", "threads", "eventLoop", "public",
        "applications", "cacheBytes",
        "accessLog", "accessLogFile", "logLevel", "limits", "unknownNames", "hsts", "httpsRedirect", "trustedProxies",
        "forwardedFields",
        "countryHeader", "rateLimits", "staleSeconds", "metadataKeys",
        "blockedHostsFile", "countryFile", "clicks",
    ]

    let path: String
    let members: JSONObject
    /// Relative paths in the file start here.
    let folder: String

    init(path: String) throws {
        let root = try JSONFile.read(path).root
        guard let object = root.object else {
            throw CommandFailure.usage("\(path): the configuration is \(root.noun); it must be an object")
        }
        for member in object.members where !Self.keys.contains(member.name) {
            let allowed = Self.keys.joined(separator: ", ")
            throw CommandFailure.usage("\(path): unknown key \"\(member.name)\"; allowed: \(allowed)")
        }
        self.path = path
        members = object
        folder = (path as NSString).deletingLastPathComponent
    }

    func layer() throws -> ConfigurationLayer {
        var layer = ConfigurationLayer()
        layer.listen = try listenSettings("listen")
        if layer.listen?.isEmpty == true {
            throw CommandFailure.usage("\(name("listen")): the array is empty; give \(ListenSetting.allowed)")
        }
        layer.tlsListen = try listenSettings("tlsListen").map { Named($0, name: name("tlsListen")) }
        layer.certificates = try certificates()
        layer.unknownNames = try string("unknownNames").map {
            try ConfigurationValue.choice($0, name: name("unknownNames"))
        }
        layer.strictTransportSecurity = try strictTransportSecurity()
        layer.secureRedirect = try secureRedirect()
        layer.adminListen = try listenSetting("adminListen")
        layer.trustedProxies = try trustedProxies()
        layer.forwardedFields = try string("forwardedFields").map {
            try ConfigurationValue.choice($0, name: name("forwardedFields"))
        }
        layer.countryHeader = try value("countryHeader", "the name of a header field, such as \"CF-IPCountry\"") {
            $0.string.flatMap { HeaderName($0) }
        }
        layer.callerLimits = try callerLimits()
        layer.metadataKeys = try metadataKeys()
        layer.database = try string("database").map {
            try ConfigurationValue.database($0, name: name("database")).relative(to: folder)
        }
        layer.threads = try integer("threads", in: ConfigurationValue.threads)
        layer.eventLoop = try string("eventLoop").map { try ConfigurationValue.choice($0, name: name("eventLoop")) }
        layer.publicFolder = try path("public").map { try ConfigurationValue.folder($0, name: name("public")) }
        layer.applicationsFile = try path("applications")
        layer.blockedHostsFile = try path("blockedHostsFile")
        layer.countryFile = try path("countryFile")
        layer.cacheBytes = try integer("cacheBytes", in: ConfigurationValue.cacheBytes)
        layer.staleSeconds = try integer("staleSeconds", in: ConfigurationValue.staleSeconds)
        layer.clicks = try clicks()
        layer.limits = try limits()
        layer.accessLog = try value("accessLog", AccessLogSetting.allowed) { AccessLogSetting($0) }
        layer.accessLogFile = try path("accessLogFile").map {
            try ConfigurationValue.logFile($0, name: name("accessLogFile"))
        }
        layer.logLevel = try string("logLevel").map { try ConfigurationValue.choice($0, name: name("logLevel")) }
        return layer
    }

    func name(_ key: String) -> String { "\(key) in \(path)" }

    /// Null is the same as leaving the key out.
    func value<Value>(_ key: String, _ allowed: String, _ read: (JSONValue) -> Value?) throws -> Value? {
        guard let given = members[key], !given.isNull else { return nil }
        guard let value = read(given) else {
            throw CommandFailure.usage("\(name(key)): \(given.noun) is not allowed; give \(allowed)")
        }
        return value
    }

    func string(_ key: String) throws -> String? { try value(key, "a string") { $0.string } }

    func strings(_ key: String) throws -> [String]? {
        try value(key, "an array of strings") { given in
            guard let elements = given.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        let allowed = "a number from \(range.lowerBound) to \(range.upperBound)"
        return try value(key, allowed) { given in
            given.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private func limits() throws -> ServerLimits? {
        guard let object = try value("limits", "an object", { $0.object }) else { return nil }
        var limits = ServerLimits()
        for member in object.members {
            guard let setting = LimitSetting.all.first(where: { $0.name == member.name }) else {
                let allowed = LimitSetting.all.map(\.name).joined(separator: ", ")
                throw CommandFailure.usage("\(name("limits")): unknown key \"\(member.name)\"; allowed: \(allowed)")
            }
            if member.value.isNull { continue }
            guard setting.set(member.value, in: &limits) else {
                let given = member.value.number?.text ?? member.value.noun
                throw CommandFailure.usage(
                    "\(name("limits.\(member.name)")): \(given) is not allowed; give \(setting.allowed)")
            }
        }
        return limits
    }

    func path(_ key: String) throws -> String? {
        try string(key).map { try ConfigurationValue.path($0, name: name(key)).relative(to: folder) }
    }
}

/// A JSON text in a file, with errors that name the file and the place.
enum JSONFile {
    static func read(_ path: String) throws -> JSONDocument {
        let bytes = try bytes(path)
        do throws(JSONError) {
            return try JSONDocument(bytes)
        } catch {
            throw CommandFailure.usage("\(path): \(error)")
        }
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            let reason = FileManager.default.fileExists(atPath: path) ? "can't be read" : "does not exist"
            throw CommandFailure.usage("\(path): the file \(reason)")
        }
    }
}
