// needs: WaymarkBytes WaymarkHTTP
// begins with: Tests/WaymarkHTTPTests/Fixtures conformance

import WaymarkBytes
import WaymarkHTTP

/// One request head: the same verdict however it is cut, and nothing points outside of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // An array of just this size, so that a byte too many is found by the address sanitizer.
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let limits = HeadLimits(requestLine: 128, field: 256, section: 512, fieldCount: 12, emptyLines: 2)
    let head = RequestHead(limits: limits)

    var parser = RequestParser(limits: limits)
    let whole = parser.parse(bytes.span, into: head)
    if case .head(let length) = whole { check(head, bytes, length) }
    guard count > 0 else { return 0 }

    var inTwo = RequestParser(limits: limits)
    let cut = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % count
    var outcome = inTwo.parse(Array(bytes[..<cut]).span, into: head)
    if outcome == .needMore { outcome = inTwo.parse(bytes.span, into: head) }
    precondition(isSame(outcome, whole, bytes), "cut at \(cut): \(outcome) instead of \(whole)")

    var slow = RequestParser(limits: limits)
    outcome = .needMore
    for end in 1...count where outcome == .needMore {
        outcome = slow.parse(bytes.span.extracting(first: end), into: head)
    }
    precondition(isSame(outcome, whole, bytes), "byte by byte: \(outcome) instead of \(whole)")
    if case .head(let length) = outcome { check(head, bytes, length) }
    return 0
}

/// A line that comes in one piece may be refused before its end has come, a line in pieces only then; and the first
/// of several things that are wrong may lie behind the bytes so far.
private func isSame(_ inPieces: RequestParser.Outcome, _ whole: RequestParser.Outcome, _ bytes: [UInt8]) -> Bool {
    if case .reject = whole, inPieces == .needMore { return bytes.last != 0x0A }
    return inPieces == whole
}

private func check(_ head: RequestHead, _ bytes: [UInt8], _ length: Int) {
    precondition(length <= bytes.count, "a head ends within the bytes")
    precondition(bytes[..<length].suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A], "a head ends with an empty line")
    let ranges =
        [head.target, head.path, head.query ?? .empty, head.host]
        + RequestField.allCases.compactMap { head.value($0) }
        + (0..<head.fieldCount).flatMap { [head.field(at: $0).name, head.field(at: $0).value] }
    for range in ranges {
        precondition(
            range.start >= 0 && range.start <= range.end && Int(range.end) <= length, "a range within the head")
    }
    for number in 0..<head.fieldCount {
        let field = head.field(at: number)
        precondition(!field.name.isEmpty, "a name")
        precondition(bytes[field.name.indices].allSatisfy { ASCIISet.token.contains($0) }, "a name is a token")
        precondition(bytes[field.value.indices].allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }, "a value")
    }
    precondition(bytes[head.target.indices].allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target")
    precondition(head.minorVersion == 0 || !head.host.isEmpty || head.value(.host) != nil, "HTTP/1.1 has a host")
    switch head.framing {
    case .chunked: precondition(head.value(.contentLength) == nil && head.minorVersion == 1, "told in one way")
    case .length: precondition(head.value(.transferEncoding) == nil, "told in one way")
    case .none: precondition(head.value(.contentLength) == nil && head.value(.transferEncoding) == nil, "told")
    }
}
