import WaymarkJSON
import WaymarkSockets

extension Configuration {
    /// What would be used, with the members of the configuration file; the admin key is a secret and not among them.
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
                    [
                        "certificate": JSONValue(setting.certificate.value),
                        "privateKey": JSONValue(setting.privateKey.value),
                    ]
                }),
            "adminListen": adminListen.map { JSONValue($0.description) } ?? .null,
            "database": JSONValue(database.text),
            "threads": JSONValue(threads),
            "eventLoop": JSONValue(eventLoop.rawValue),
            "public": JSONValue(publicFolder),
            "applications": applicationsFile.map { JSONValue($0) } ?? .null,
            "cacheBytes": JSONValue(cacheBytes),
            "accessLog": JSONValue(accessLog),
            "logLevel": JSONValue(logLevel.rawValue),
        ]
    }
}
