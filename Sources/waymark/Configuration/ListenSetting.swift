import WaymarkServer
import WaymarkSockets

/// One place to listen, as an operator gives it: an address, and what stands behind it after commas.
///
///     127.0.0.1:8080        127.0.0.1:8080,proxy
///     unix:/run/waymark/waymark.sock,mode=0666
///     systemd               systemd:web,proxy
struct ListenSetting: Sendable, Equatable, CustomStringConvertible {
    var endpoint: ListeningEndpoint
    /// Whether connections begin with a PROXY protocol header.
    var expectsProxyHeader: Bool

    static let allowed =
        "HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:8080 or [::1]:8080, or unix:PATH, systemd or "
        + "systemd:NAME; behind it ,proxy where a proxy speaks the PROXY protocol"

    /// Nil for anything that is not of that form.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let address = parts.first, let endpoint = Self.endpoint(address) else { return nil }
        self.endpoint = endpoint
        expectsProxyHeader = false
        var given: Set<Substring> = []
        for option in parts.dropFirst() {
            let name = option.prefix { $0 != "=" }
            guard given.insert(name).inserted else { return nil }
            switch (self.endpoint, name) {
            case (_, "proxy") where option == "proxy": expectsProxyHeader = true
            case (.unix(let path, _), "mode") where option.hasPrefix("mode="):
                guard let mode = Self.mode(String(option.dropFirst("mode=".count))) else { return nil }
                self.endpoint = .unix(path: path, mode: mode)
            default: return nil
            }
        }
    }

    /// Several, with commas between them, as the environment has them; what is no address belongs to the one ahead of it.
    static func list(_ text: String) -> [String] {
        var texts: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if part == "proxy" || part.hasPrefix("mode="), !texts.isEmpty {
                texts[texts.count - 1] += ",\(part)"
            } else {
                texts.append(part)
            }
        }
        return texts
    }

    /// Permissions of a file, in octal: `0660`.
    static func mode(_ text: String) -> UInt16? {
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt16(text, radix: 8), mode <= 0o777
        else { return nil }
        return mode
    }

    private static func endpoint(_ text: String) -> ListeningEndpoint? {
        if text == "systemd" { return .systemd(name: nil) }
        if text.hasPrefix("systemd:") {
            let name = text.dropFirst("systemd:".count)
            // What systemd allows as a name of a descriptor.
            guard (1...255).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A })
            else { return nil }
            return .systemd(name: String(name))
        }
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard (1...ListeningEndpoint.longestPath).contains(path.utf8.count), !path.utf8.contains(0) else {
                return nil
            }
            return .unix(path: path, mode: ListeningEndpoint.usualMode)
        }
        return HostAndPort(text).map(ListeningEndpoint.network)
    }

    /// A path in a file is relative to the file. Nil where the whole is too long for the kernel.
    func relative(to folder: String) -> ListenSetting? {
        guard case .unix(let path, let mode) = endpoint else { return self }
        let whole = path.relative(to: folder)
        guard whole.utf8.count <= ListeningEndpoint.longestPath else { return nil }
        var setting = self
        setting.endpoint = .unix(path: whole, mode: mode)
        return setting
    }

    /// The port; nil where there is none.
    var port: UInt16? {
        if case .network(let address) = endpoint { address.port } else { nil }
    }

    var description: String { expectsProxyHeader ? "\(endpoint),proxy" : "\(endpoint)" }
}

extension ServerConfiguration.Listener {
    init(
        _ setting: ListenSetting, role: ListenerRole = .public,
        transport: (@Sendable (_ loop: Int) -> any Transport)? = nil
    ) {
        self.init(setting.endpoint, role: role, transport: transport)
        expectsProxyHeader = setting.expectsProxyHeader
    }
}
