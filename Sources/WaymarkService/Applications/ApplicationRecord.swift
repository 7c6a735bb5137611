/// The stored form of an application's document: the JSON, prefixed with a mark of its origin unless it was put
/// through the API. The mark is stored so that a restart also detects that an application was removed from the file.
///
/// Has no fields except the stored bytes. With a copy of the JSON as another field, reading only `isFromFile` made
/// the optimiser release the copy before it was set (docs/decisions/2026-11-25-memory-of-the-optimised-program.md).
package struct ApplicationRecord: Sendable, Equatable {
    enum Origin: Sendable {
        case api
        /// The applications file.
        case file
        /// Created on the first start with an empty database. It is removed when another application is put.
        case firstStart

        /// JSON can't begin with a mark (RFC 8259, section 2).
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

    /// The JSON; a copy if it has a mark.
    package var document: [UInt8] { origin == .api ? stored : Array(stored.dropFirst()) }

    /// Whether the JSON equals `document`, without copying.
    func says(_ document: [UInt8]) -> Bool {
        origin == .api ? stored == document : stored.dropFirst().elementsEqual(document)
    }
}
