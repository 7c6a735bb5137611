import WaymarkJSON
import WaymarkServer
import WaymarkSockets

/// An address to listen on, as configured: the address, followed by options after commas.
///
///     127.0.0.1:8080        127.0.0.1:8080,proxy
///     unix:/run/waymark/waymark.sock,mode=0666
///     systemd               systemd:web,proxy
struct ListenSetting: Sendable, Equatable, CustomStringConvertible {
    var endpoint: ListeningEndpoint
    /// Whether connections begin with a PROXY protocol header.
    var expectsProxyHeader: Bool

    static let standard = [ListenSetting("127.0.0.1:8080")].compactMap(\.self)

    static let allowed =
        "HOST:PORT with a port from 0 to 65535, unix:PATH, systemd or systemd:NAME; append ,proxy for the PROXY protocol"

    /// Nil if the text is invalid.
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

    /// Splits a comma-separated list in an environment variable; a part that is not an address belongs to the
    /// previous one.
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

    /// File permissions in octal: `0660`.
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
            // The characters that systemd allows in descriptor names.
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

    /// Resolves a path relative to the configuration file. Nil if the result is too long for the kernel.
    func relative(to folder: String) -> ListenSetting? {
        guard case .unix(let path, let mode) = endpoint else { return self }
        let whole = path.relative(to: folder)
        guard whole.utf8.count <= ListeningEndpoint.longestPath else { return nil }
        var setting = self
        setting.endpoint = .unix(path: whole, mode: mode)
        return setting
    }

    /// The port; nil if there is none.
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

extension SettingType<ListenSetting> {
    /// A string, or an object such as `{"address": "127.0.0.1:8080", "proxyProtocol": true}`.
    static var address: SettingType {
        SettingType(
            ListenSetting.allowed, placeholder: "address",
            read: { value, source in
                guard let text = try value.string ?? text(value, source) else {
                    throw source.refusal(value, allowed: ListenSetting.allowed)
                }
                guard let setting = ListenSetting(text)?.relative(to: source.folder) else {
                    throw source.refusal(text: text, allowed: ListenSetting.allowed)
                }
                return setting
            }, write: { JSONValue($0.description) })
    }

    /// Converts an object to the format of a flag; nil for any other value.
    private static func text(_ value: JSONValue, _ source: SettingSource) throws -> String? {
        guard value.object != nil else { return nil }
        let object = try SettingObject(value, source, members: ["address", "proxyProtocol", "mode"])
        let address = try object.required(
            "address",
            .string(
                "HOST:PORT, unix:PATH, systemd or systemd:NAME",
                convert: { text, _ in text.contains(",") ? nil : text }, write: \.self))
        let isProxied = try object.value("proxyProtocol", .boolean) ?? false
        let mode = try object.value(
            "mode",
            SettingType<String>.string(
                "the permissions of a unix: address, such as \"0660\"",
                convert: { text, _ in
                    ListenSetting.mode(text) != nil && address.hasPrefix("unix:") ? text : nil
                }, write: \.self))
        return address + (isProxied ? ",proxy" : "") + (mode.map { ",mode=\($0)" } ?? "")
    }
}

extension SettingType<[ListenSetting]> {
    static func addresses(allowsNone: Bool = true) -> SettingType {
        array(
            of: .address, "an array of addresses, such as [\"127.0.0.1:8080\"]", allowsNone: allowsNone,
            separate: ListenSetting.list)
    }
}
