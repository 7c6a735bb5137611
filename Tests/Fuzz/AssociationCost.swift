// needs: WaymarkAssociation WaymarkJSON
// begins with: Tests/Fuzz/AssociationCosts
// longest: 512

import WaymarkAssociation
import WaymarkJSON

/// What a file costs against its bytes: the input is a beginning, a piece, an end and a URL with zero bytes between them, and the
/// piece is repeated until the file is as large as it may be. Work is counted in edges of control flow, which repeat where
/// times do not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    let (head, piece, tail) = (parts[0], parts.count > 1 ? parts[1] : [], parts.count > 2 ? parts[2] : [])
    let url = parts.count > 3 ? String(decoding: parts[3], as: UTF8.self) : "https://example.com/a/b?c=d#e"
    var file = Array(head)
    while file.count + piece.count + tail.count <= size, !piece.isEmpty { file += piece }
    file += tail

    check("reading", file, budget: 0) { _ = try? JSONDocument(keepingRepeatedMembersOf: file) }
    for kind in AssociationKind.allCases {
        check("lint", file, budget: budget) { _ = AssociationLint.lint(file, kind: kind) }
    }
    check("simulation", file, budget: budget) { _ = AssociationSimulation.simulate(file: file, url: url) }
    return 0
}

/// What Apple's systems read, and the simulator therefore looks into.
private let size = 131_000

/// The edges that ten million steps may take.
private let budget = 100_000_000

/// How many edges were taken so far, of all that is built for the fuzzer.
@_silgen_name("waymark_fuzz_edges")
private func edges() -> Int

private func check(_ what: String, _ file: [UInt8], budget: Int, _ work: () -> Void) {
    let before = edges()
    work()
    let (taken, bound) = (edges() - before, 1_000_000 + budget + 300 * file.count)
    precondition(taken <= bound, "\(what) of \(file.count) bytes took \(taken) edges, more than \(bound)")
}
