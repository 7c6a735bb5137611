package import WaymarkLinks

/// An application as someone gives it: its meaning, and the JSON that says it.
package struct ApplicationDefinition: Sendable, Equatable {
    package var application: Application
    package var document: [UInt8]

    package init(application: Application, document: [UInt8]) {
        self.application = application
        self.document = document
    }
}

/// What a store keeps as an application's document: the JSON, with a mark in front where it came from the
/// applications file. The mark is kept so that a start, too, notices that the file has lost an application.
package struct ApplicationRecord: Sendable, Equatable {
    /// JSON can't begin with it (RFC 8259 section 2).
    private static let fileMark: UInt8 = 0x46

    package let document: [UInt8]
    let isFromFile: Bool

    init(document: [UInt8], isFromFile: Bool) {
        self.document = document
        self.isFromFile = isFromFile
    }

    package init(stored bytes: [UInt8]) {
        isFromFile = bytes.first == Self.fileMark
        document = isFromFile ? Array(bytes.dropFirst()) : bytes
    }

    var stored: [UInt8] { isFromFile ? [Self.fileMark] + document : document }
}
