// needs: WaymarkAssociation WaymarkJSON
// begins with: Tests/Fuzz/AssociationCosts
// longest: 512

import Glibc
import WaymarkAssociation
import WaymarkJSON

/// What a file costs against what its bytes do: the input is a beginning, a piece, an end and a URL with zero bytes between
/// them, and the piece stands there again and again until the file is as large as it may be. Nothing may take longer than
/// many times what reading the file as JSON takes. The time is that of the thread, and the bounds are wide enough for the
/// sanitizer and a busy machine: what is quadratic is beyond them by far.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    let (head, piece, tail) = (parts[0], parts.count > 1 ? parts[1] : [], parts.count > 2 ? parts[2] : [])
    let url = parts.count > 3 ? String(decoding: parts[3], as: UTF8.self) : "https://example.com/a/b?c=d#e"
    var file = Array(head)
    while file.count + piece.count + tail.count <= size, !piece.isEmpty { file += piece }
    file += tail

    let reading = milliseconds { _ = try? JSONDocument(keepingRepeatedMembersOf: file) }
    // JSON itself is linear: a second for a quarter of a megabyte is not.
    check(reading, 1_000, "reading", file.count)
    let bound = max(1_500, 60 * reading)
    for kind in AssociationKind.allCases {
        check(milliseconds { _ = AssociationLint.lint(file, kind: kind) }, bound, "lint", file.count)
    }
    check(milliseconds { _ = AssociationSimulation.simulate(file: file, url: url) }, bound, "simulation", file.count)
    return 0
}

/// What Apple's systems read, and the simulator therefore looks into.
private let size = 131_000

private func milliseconds(_ work: () -> Void) -> Int {
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
    let start = now()
    work()
    return now() - start
}

private func check(_ milliseconds: Int, _ bound: Int, _ what: String, _ bytes: Int) {
    precondition(milliseconds <= bound, "\(what) of \(bytes) bytes took \(milliseconds) ms, more than \(bound)")
}
