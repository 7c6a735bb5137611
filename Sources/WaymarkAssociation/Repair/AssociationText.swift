internal import WaymarkJSON

/// The bytes of an association file, read as far as they can be: strictly for who wants to know what a device reads, and
/// with the commonest faults mended for who wants to know what else is wrong.
struct AssociationText {
    /// The file, its byte order mark blanked out so that places stay what they are.
    let source: [UInt8]
    let hasByteOrderMark: Bool
    /// Why the file is not JSON, in the order of their discovery.
    let faults: [JSONFault]
    /// Nil where there are faults.
    let document: JSONDocument?
    /// The document with its faults mended; nil where that was beyond guessing.
    let mended: JSONDocument?

    /// Devices read far flatter files.
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
