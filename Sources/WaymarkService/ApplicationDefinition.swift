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
/// applications file. The mark is stored so that a start, too, notices that the file has lost an application.
///
/// It holds nothing but the stored bytes. With a copy of the JSON beside them, asking for `isFromFile` alone made the
/// optimiser release the copy before it was filled (docs/decisions/2026-11-25-memory-of-the-optimised-program.md).
package struct ApplicationRecord: Sendable, Equatable {
    /// JSON can't begin with it (RFC 8259 section 2).
    private static let fileMark: UInt8 = 0x46

    let stored: [UInt8]

    init(document: [UInt8], isFromFile: Bool) {
        guard isFromFile else {
            stored = document
            return
        }
        var marked: [UInt8] = []
        marked.reserveCapacity(document.count + 1)
        marked.append(Self.fileMark)
        marked.append(contentsOf: document)
        stored = marked
    }

    package init(stored: [UInt8]) {
        self.stored = stored
    }

    var isFromFile: Bool { stored.first == Self.fileMark }

    /// The JSON; a copy where the mark is in front of it.
    package var document: [UInt8] { isFromFile ? Array(stored.dropFirst()) : stored }

    /// Whether the JSON is `document`, without a copy.
    func says(_ document: [UInt8]) -> Bool {
        isFromFile ? stored.dropFirst().elementsEqual(document) : stored == document
    }
}
