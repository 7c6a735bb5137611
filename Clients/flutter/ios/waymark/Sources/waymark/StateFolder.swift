import Foundation

/// The folder of the client's state. It has links with their metadata, so it can't be read before the first
/// unlock; and a restored device is a new installation, so it is not part of backups.
enum StateFolder {
    static func make() throws -> URL {
        let files = FileManager.default
        var folder = try files.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
        ).appendingPathComponent("waymark", isDirectory: true)
        try files.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
        return folder
    }
}
