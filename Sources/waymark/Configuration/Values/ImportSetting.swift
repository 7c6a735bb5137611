import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkService
import WaymarkSockets

/// Imports over the API: `imports` in the configuration file.
struct ImportSetting: Sendable, Equatable {
    var uploadBytes = ImportSettings().uploadBytes
    var running = ImportSettings().running
    /// Empty: beside the database file, else the folder for temporary files.
    var folder = ""

    static let members: [SettingMember<ImportSetting>] = [
        SettingMember("uploadBytes", .integer(1_048_576...1_099_511_627_776), \.uploadBytes),
        SettingMember("running", .integer(1...64), \.running),
        SettingMember("folder", .folderOrNone, \.folder),
    ]
}

/// Requests of the server to addresses that callers give: `webhooks` in the configuration file.
struct WebhookSetting: Sendable, Equatable {
    var allowedNetworks: [NetworkPrefix] = []

    static let members: [SettingMember<WebhookSetting>] = [
        SettingMember("allowedNetworks", .networks, \.allowedNetworks)
    ]
}

extension SettingType<[NetworkPrefix]> {
    static var networks: SettingType {
        .array(
            of: .string(
                "a network without bits behind the prefix, such as \"10.0.0.0/8\", \"2001:db8::/32\" or \"192.0.2.1\"",
                convert: { text, _ in NetworkPrefix(text) }, write: \.description),
            "an array of networks such as \"10.0.0.0/8\", \"2001:db8::/32\" or \"192.0.2.1\"")
    }
}

extension Configuration {
    /// Connects to what callers name.
    var client: HTTPClient {
        HTTPClient(.host(AddressRule(allowedNetworks: self.webhooks.allowedNetworks)), userAgent: Version.userAgent)
    }

    /// Where the operator wants it, or beside the database file, where a server has space; else the folder for temporary files (`TMPDIR`).
    var uploadFolder: String {
        guard self.imports.folder.isEmpty else { return self.imports.folder }
        guard case .file(let path) = self.database else { return FileManager.default.temporaryDirectory.path }
        return path.folderOfPath
    }
}
