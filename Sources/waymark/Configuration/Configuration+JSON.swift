import WaymarkJSON
import WaymarkLinks
import WaymarkSockets
import WaymarkTLS

extension Configuration {
    /// What would be used, with the members of the configuration file; the admin key is a secret and not among them, and of
    /// `metadataKeys` only the ids are.
    var document: JSONValue {
        var members = ownDocument
        for (name, value) in callersDocument { members[name] = value }
        return JSONValue(members)
    }

    private var ownDocument: JSONObject {
        [
            "listen": JSONValue(listen.map { JSONValue($0.description) }),
            "tlsListen": JSONValue(tlsListen.map { JSONValue($0.description) }),
            "certificates": JSONValue(
                certificates.map { setting -> JSONValue in
                    var members: JSONObject = [
                        "certificate": JSONValue(setting.certificate.value),
                        "privateKey": JSONValue(setting.privateKey.value),
                    ]
                    if let staple = setting.ocspStaple { members["ocspStaple"] = JSONValue(staple.value) }
                    return JSONValue(members)
                }),
            "unknownNames": JSONValue(unknownNames.rawValue),
            "hsts": strictTransportSecurity.map { $0.document } ?? .null,
            "httpsRedirect": secureRedirect.map { $0.document } ?? .null,
            "adminListen": adminListen.map { JSONValue($0.description) } ?? .null,
            "database": JSONValue(database.text),
            "threads": JSONValue(threads),
            "eventLoop": JSONValue(eventLoop.rawValue),
            "public": JSONValue(publicFolder),
            "applications": applicationsFile.map { JSONValue($0) } ?? .null,
            "blockedHostsFile": blockedHostsFile.map { JSONValue($0) } ?? .null,
            "countryFile": countryFile.map { JSONValue($0) } ?? .null,
            "cacheBytes": JSONValue(cacheBytes),
            "staleSeconds": JSONValue(staleSeconds),
            "clicks": clicks.document,
            "metadataKeys": JSONValue(metadataKeys.map { JSONValue(["id": JSONValue($0.id.text)] as JSONObject) }),
            "limits": limits.document,
            "accessLog": accessLog.value,
            "accessLogFile": accessLogFile.map { JSONValue($0) } ?? .null,
            "logLevel": JSONValue(logLevel.rawValue),
        ]
    }
}
