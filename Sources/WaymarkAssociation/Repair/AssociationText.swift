internal import WaymarkJSON

/// The bytes of an association file, parsed as far as possible: strictly to get what a device reads, and with common
/// faults repaired to find further problems.
struct AssociationText {
    /// The file, with its byte order mark blanked out so that offsets stay valid.
    let source: [UInt8]
    let hasByteOrderMark: Bool
    /// Why the file is not JSON, in the order found.
    let faults: [JSONFault]
    /// Nil if there are faults.
    let document: JSONDocument?
    /// The document with its faults repaired; nil if that was not possible.
    let mended: JSONDocument?

    /// Devices accept far less nesting.
    static let depthLimit = 64

    init(_ file: [UInt8], _ budget: WorkBudget) {
        var source = file
        hasByteOrderMark = file.starts(with: [0xEF, 0xBB, 0xBF])
        if hasByteOrderMark { source.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        self.source = source
        if let fault = JSONFault.ofOtherFormat(file) {
            faults = [fault]
            document = nil
            mended = nil
            return
        }
        var mending = JSONRepair(source, budget)
        mended = mending.document()
        faults = mending.faults
        document = faults.isEmpty ? mended : nil
    }
}

extension JSONDocument {
    var hasRepeatedMembers: Bool { !repeatedMembers.isEmpty }
}
