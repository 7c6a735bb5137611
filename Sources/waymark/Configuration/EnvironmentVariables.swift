import WaymarkService
import WaymarkSockets

/// The environment as a source of configuration.
///
/// Unknown variables that begin with `WAYMARK_` are passed over, other than unknown keys of the file: container
/// platforms inject such names for a service that is called waymark.
struct EnvironmentVariables {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    subscript(name: String) -> String? { values[name] }

    func layer() throws -> ConfigurationLayer {
        var layer = ConfigurationLayer()
        layer.listen = try read("WAYMARK_LISTEN", Self.addresses)
        layer.tlsListen = try read("WAYMARK_TLS_LISTEN") { text, name in
            Named(try Self.addresses(text, name: name), name: name)
        }
        layer.certificate = try read("WAYMARK_CERTIFICATE", ConfigurationValue.namedPath)
        layer.privateKey = try read("WAYMARK_PRIVATE_KEY", ConfigurationValue.namedPath)
        layer.adminListen = try read("WAYMARK_ADMIN_LISTEN", ConfigurationValue.listen)
        layer.database = try read("WAYMARK_DATABASE", ConfigurationValue.database)
        layer.threads = try read("WAYMARK_THREADS") { text, name in
            try ConfigurationValue.integer(text, name: name, in: ConfigurationValue.threads)
        }
        layer.publicFolder = try read("WAYMARK_PUBLIC", ConfigurationValue.folder)
        layer.eventLoop = try read("WAYMARK_EVENT_LOOP") { text, name in
            try ConfigurationValue.choice(text, name: name)
        }
        layer.metadataKeys = try read("WAYMARK_METADATA_KEYS", Self.metadataKeys)
        layer.adminKey = try read("WAYMARK_ADMIN_KEY") { text, name in
            guard let key = KeyText(text) else {
                // The value is a secret, or was meant to be one: it is not repeated.
                throw CommandFailure.usage("\(name): not a key; give wm_ and 32 or more of A-Z a-z 0-9")
            }
            return key
        }
        return layer
    }

    private static func addresses(_ text: String, name: String) throws -> [ListenSetting] {
        try ListenSetting.list(text).map { try ConfigurationValue.listen($0, name: name) }
    }

    private func read<Value>(_ name: String, _ check: (String, String) throws -> Value) throws -> Value? {
        try values[name].map { try check($0, name) }
    }
}
