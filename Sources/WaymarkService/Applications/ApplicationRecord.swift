/// What a store keeps as an application's document: the JSON, with a mark in front that says where it came from unless
/// someone put it through the API. The mark is stored so that a start, too, notices that the file has lost an
/// application.
///
/// It holds nothing but the stored bytes. With a copy of the JSON beside them, asking for `isFromFile` alone made the
/// optimiser release the copy before it was filled (docs/decisions/2026-11-25-memory-of-the-optimised-program.md).
package struct ApplicationRecord: Sendable, Equatable {
    enum Origin: Sendable {
        case api
        /// The applications file.
        case file
        /// The first start on an empty database. It steps back when another application is put.
        case firstStart

        /// JSON can't begin with a mark (RFC 8259 section 2).
        fileprivate var mark: UInt8? {
            switch self {
            case .api: nil
            case .file: UInt8(ascii: "F")
            case .firstStart: UInt8(ascii: "D")
            }
        }
    }

    let stored: [UInt8]

    init(document: [UInt8], origin: Origin) {
        guard let mark = origin.mark else {
            stored = document
            return
        }
        var marked: [UInt8] = []
        marked.reserveCapacity(document.count + 1)
        marked.append(mark)
        marked.append(contentsOf: document)
        stored = marked
    }

    package init(stored: [UInt8]) {
        self.stored = stored
    }

    var origin: Origin {
        switch stored.first {
        case Origin.file.mark: .file
        case Origin.firstStart.mark: .firstStart
        default: .api
        }
    }

    var isFromFile: Bool { origin == .file }

    /// The JSON; a copy where a mark is in front of it.
    package var document: [UInt8] { origin == .api ? stored : Array(stored.dropFirst()) }

    /// Whether the JSON is `document`, without a copy.
    func says(_ document: [UInt8]) -> Bool {
        origin == .api ? stored == document : stored.dropFirst().elementsEqual(document)
    }
}
