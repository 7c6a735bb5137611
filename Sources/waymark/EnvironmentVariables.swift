import WaymarkService

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
        layer.listen = try read("WAYMARK_LISTEN") { text, name in
            try text.split(separator: ",", omittingEmptySubsequences: false).map {
                try ConfigurationValue.listen(String($0), name: name)
            }
        }
        layer.adminListen = try read("WAYMARK_ADMIN_LISTEN", ConfigurationValue.listen)
        layer.database = try read("WAYMARK_DATABASE", ConfigurationValue.database)
        layer.threads = try read("WAYMARK_THREADS") { text, name in
            try ConfigurationValue.integer(text, name: name, in: ConfigurationValue.threads)
        }
        layer.publicFolder = try read("WAYMARK_PUBLIC", ConfigurationValue.folder)
        layer.eventLoop = try read("WAYMARK_EVENT_LOOP") { text, name in
            try ConfigurationValue.choice(text, name: name)
        }
        layer.adminKey = try read("WAYMARK_ADMIN_KEY") { text, name in
            guard let key = KeyText(text) else {
                // The value is a secret, or was meant to be one: it is not repeated.
                throw CommandFailure.usage("\(name): not a key; give wm_ and 32 or more of A-Z a-z 0-9")
            }
            return key
        }
        return layer
    }

    private func read<Value>(_ name: String, _ check: (String, String) throws -> Value) throws -> Value? {
        try values[name].map { try check($0, name) }
    }
}
