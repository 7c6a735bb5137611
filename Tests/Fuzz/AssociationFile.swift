// needs: WaymarkAssociation
// begins with: Tests/Fuzz/AssociationFiles
// longest: 2048

import WaymarkAssociation

/// An association file and, behind a zero byte, a URL: nothing traps, whatever is found has a place in the file, lint and
/// simulator agree about what is JSON, and a verdict names what decided.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let file = Array(parts[0])
    let url = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "https://example.com/a/b?c=d#e"

    let lines = file.count { $0 == 0x0A || $0 == 0x0D } + 1
    for kind in [nil] + AssociationKind.allCases {
        let report = AssociationLint.lint(file, kind: kind, isServedHere: true)
        for finding in report.findings {
            precondition((1...lines).contains(finding.line ?? 1), "a line of the file")
            precondition((finding.column ?? 1) >= 1, "a column")
            precondition(!finding.problem.isEmpty, "a sentence")
        }
    }
    for platform in [nil] + AssociationSimulation.Platform.allCases {
        guard case .answer(let answer) = AssociationSimulation.simulate(file: file, url: url, platform: platform) else {
            continue
        }
        precondition(answer.opens == (answer.appID != nil), "an app where one opens")
        precondition(!(answer.opens && answer.excluded), "one or the other")
        precondition(!answer.opens || answer.trace.contains(where: \.fits), "something fits where an app opens")
        precondition(answer.documented || answer.warnings.contains { $0.hasPrefix("Not documented") }, "both readings")
    }
    return 0
}
