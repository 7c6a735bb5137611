package import WaymarkLinks

/// What belongs to an application beside its document and is changed by itself. It goes with the application.
package struct ApplicationExtra: Sendable, Equatable {
    /// As stored: they never change.
    package static let utmTemplates = "utm-templates"
    package static let logo = "logo"

    /// Of an extra that an application does not have yet; stored ones have higher versions.
    package static let noVersion = 1

    package var application: ApplicationID
    package var name: String
    package var version: Int
    package var content: [UInt8]

    package init(application: ApplicationID, name: String, version: Int, content: [UInt8]) {
        self.application = application
        self.name = name
        self.version = version
        self.content = content
    }
}

/// What became of a change of an extra.
package enum ExtraChange: Sendable, Equatable {
    case changed(version: Int)
    case versionMismatch(current: Int)
    /// There is no such application, or nothing to remove.
    case unknown
}

/// Throws: `StoreError` only.
package protocol ApplicationExtraStore: Sendable {
    func extra(_ name: String, of id: ApplicationID) async throws(StoreError) -> ApplicationExtra?
    /// - Parameters:
    ///   - content: nil removes it.
    ///   - expecting: the version that is changed; nil for any.
    func changeExtra(
        _ name: String, of id: ApplicationID, to content: [UInt8]?, expecting: Int?
    ) async throws(StoreError) -> ExtraChange
}
