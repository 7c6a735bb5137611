/// A response that is encoded once and copied out any number of times: only its Date changes and, on request, each
/// occurrence of one variable text.
///
/// One block of memory, because with many responses each is usually out of the cache: a text of the owner's, the whole head
/// with its empty line, as an HTTP/1.1 client gets it on a persistent connection, then the body. Many redirects differ only in
/// the value of their last field: such a response has that value in its block, and shares the rest of its head.
///
/// `@safe` because only this object has access to the memory, and after `make` only `replaceVariable` and `compose` change
/// it.
@safe @usableFromInline
package final class PreparedResponse: ManagedBuffer<PreparedResponse.Shape, UInt8> {
    /// A multiple of eight bytes, so that the memory after it is 8-byte aligned.
    @safe @usableFromInline
    package struct Shape {
        /// The head with an empty value in its last field, retained by this object; nil for a response with a head of its own.
        @usableFromInline let shared: Unmanaged<PreparedResponse>?
        @usableFromInline let status: Status
        /// Length of the variable text.
        @usableFromInline let variableLength: UInt16
        @usableFromInline let route: Int32
        /// Number of occurrences of the variable text in the bytes of this block.
        @usableFromInline let variableCount: Int32
        /// Length of the owner's text.
        @usableFromInline let labelCount: Int32
        /// Offset of the head: after the offsets of the variable text and the owner's text.
        @usableFromInline let headOffset: Int32
        /// Length of the head, or of the value if the rest is shared.
        @usableFromInline let headCount: Int32
        @usableFromInline let bodyCount: Int32
        /// Offset of the Date line in a head of its own. In a shared one the last field's CRLF comes before it.
        @usableFromInline let dateOffset: Int32
    }

    /// Size of the offsets before the owner's text.
    private static func offsetBytes(_ count: Int) -> Int { count &* MemoryLayout<Int32>.stride }

    /// - Parameters:
    ///   - route: the owner's index for metrics; not interpreted here.
    ///   - variable: a placeholder, to be replaced in each copy by another text of the same length; must not occur in
    ///     the response by chance. Empty for none.
    ///   - label: a text of the owner's, which is not sent.
    ///   - heads: those that this response may share, if it has no body.
    /// - Precondition: the status allows a Date, so it is not 1xx; a status that forbids a body has none.
    package static func make(
        _ status: Status, fields: HeaderFields, body: [UInt8] = [], route: Int = 0, variable: [UInt8] = [],
        label: [UInt8] = [], heads: SharedHeads? = nil
    ) -> PreparedResponse {
        precondition(status.code >= 200, "an interim response has no Date")
        precondition(body.isEmpty || !status.forbidsBody, "this status has no body")
        if body.isEmpty, let (shared, value) = heads?.head(status, fields) {
            return make(status, head: value, dateOffset: 0, [], route, variable, label, shared)
        }
        let bytes = ByteBuffer(capacity: 1_024)
        ResponseHead(status: status, fields: fields, contentLength: status.code == 304 ? nil : UInt64(body.count))
            .append(to: bytes, date: DateLine(unixSeconds: 0), persistence: .implied)
        let dateOffset = ResponseHead.statusLineLength(status) + fields.bytes.count
        return make(status, head: bytes.bytes, dateOffset: dateOffset, body, route, variable, label, nil)
    }

    private static func make(
        _ status: Status, head: [UInt8], dateOffset: Int, _ body: [UInt8], _ route: Int, _ variable: [UInt8],
        _ label: [UInt8], _ shared: PreparedResponse?
    ) -> PreparedResponse {
        let offsets = variable.isEmpty ? [] : Self.offsets(of: variable, in: head + body)
        let headOffset = offsetBytes(offsets.count) + label.count
        let buffer = create(minimumCapacity: headOffset + head.count + body.count) { _ in
            // unsafe because the reference is counted by hand: `deinit` releases it.
            unsafe Shape(
                shared: shared.map { unsafe .passRetained($0) }, status: status,
                variableLength: UInt16(variable.count), route: Int32(route), variableCount: Int32(offsets.count),
                labelCount: Int32(label.count), headOffset: Int32(headOffset), headCount: Int32(head.count),
                bodyCount: Int32(body.count), dateOffset: Int32(dateOffset))
        }
        // unsafe because it copies through pointers: there is room for that many offsets and bytes, and `create`
        // makes this class.
        let response = unsafe unsafeDowncast(buffer, to: PreparedResponse.self)
        for (number, offset) in offsets.enumerated() { unsafe response.offsets[number] = offset }
        unsafe (label + head + body).withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(response.head - label.count).copyMemory(
                from: source, byteCount: bytes.count)
        }
        return response
    }

    // unsafe because it gives back what `make` retained.
    deinit { unsafe shape.shared?.release() }

    // MARK: Compositions

    /// An empty one, to be composed of another one for each request.
    ///
    /// - Parameter room: in bytes, for head and body.
    package static func makeRoom(_ room: Int) -> PreparedResponse {
        let shape = unsafe Shape(
            shared: nil, status: .noContent, variableLength: 0, route: 0, variableCount: 0, labelCount: 0,
            headOffset: 0, headCount: 0, bodyCount: 0, dateOffset: 0)
        let buffer = create(minimumCapacity: room) { _ in shape }
        // unsafe because `create` makes this class.
        return unsafe unsafeDowncast(buffer, to: PreparedResponse.self)
    }

    /// Where a part of a text goes in another response.
    package struct Insertion {
        /// In head and body together. A head takes texts only in its fields, before the Date.
        let offset: Int
        /// Of the text.
        package let part: Range<Int>

        package init(offset: Int, part: Range<Int>) {
            self.offset = offset
            self.part = part
        }
    }

    /// Becomes a copy of another response with texts inserted in its fields and its body; false if there is no room for
    /// it.
    ///
    /// - Parameters:
    ///   - text: what has all parts.
    ///   - insertions: in the order of their offsets.
    /// - Precondition: this one was made by `makeRoom`.
    package func compose(
        _ other: PreparedResponse, inserting text: Span<UInt8>, at insertions: Span<Insertion>
    ) -> Bool {
        let (source, headCount, dateOffset) = (other.shape, other.headCount, other.dateOffset)
        let total = headCount + Int(source.bodyCount)
        var (inHead, inBody) = (0, 0)
        for index in insertions.indices {
            let insertion = insertions[index]
            if insertion.offset < headCount { inHead += insertion.part.count } else { inBody += insertion.part.count }
        }
        // The copy is moved to the left by less than this, as a length has at most 20 digits.
        let gap = inHead + inBody + 20
        precondition(shape.headOffset == 0, "a response that others may refer to")
        guard gap + total <= capacity else { return false }
        let bodyCount = Int(source.bodyCount) + inBody
        // unsafe because it copies through pointers: the other response is copied to the end of this block, and from there
        // to its beginning, with the texts between. What is written never reaches what is still to be read, which is
        // `gap` bytes ahead at first, and the texts and the length take no more. Offsets are checked.
        unsafe withUnsafeMutablePointers { header, start in
            let (target, copy) = unsafe (UnsafeMutableRawPointer(start), UnsafeMutableRawPointer(start + gap))
            unsafe other.copyHead(to: copy)
            unsafe (copy + headCount).copyMemory(from: other.head + Int(source.headCount), byteCount: total - headCount)
            var (read, written) = (0, 0)
            func move(to end: Int) {
                precondition(end >= read && end <= total, "a place outside of the response")
                unsafe (target + written).copyMemory(from: copy + read, byteCount: end - read)
                written += end - read
                read = end
            }
            func writeLength() {
                let place = dateOffset + DateLine.count + ResponseHead.lengthName.utf8CodeUnitCount
                move(to: place)
                for digit in String(bodyCount).utf8 {
                    unsafe target.storeBytes(of: digit, toByteOffset: written, as: UInt8.self)
                    written += 1
                }
                // All digits, up to the two CRLFs at the end of the head.
                read = headCount - 4
            }
            var hasLength = inBody == 0
            for index in insertions.indices {
                let insertion = insertions[index]
                precondition(
                    insertion.offset <= dateOffset || insertion.offset >= headCount, "the place is not in a field")
                if insertion.offset >= headCount, !hasLength {
                    writeLength()
                    hasLength = true
                }
                move(to: insertion.offset)
                unsafe text.extracting(insertion.part).withUnsafeBytes { part in
                    guard let first = part.baseAddress else { return }
                    unsafe (target + written).copyMemory(from: first, byteCount: part.count)
                    written += part.count
                }
            }
            move(to: total)
            unsafe header.pointee = Shape(
                shared: nil, status: source.status, variableLength: 0, route: source.route, variableCount: 0,
                labelCount: 0, headOffset: 0, headCount: Int32(written - bodyCount), bodyCount: Int32(bodyCount),
                dateOffset: Int32(dateOffset + inHead))
        }
        return true
    }

    /// Offsets of the text's occurrences, without overlapping ones.
    private static func offsets(of text: [UInt8], in bytes: [UInt8]) -> [Int32] {
        guard let first = text.first else { return [] }
        var offsets: [Int32] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first), bytes.count - start >= text.count {
            let isHere = bytes[start..<start + text.count].elementsEqual(text)
            if isHere { offsets.append(Int32(start)) }
            rest = bytes[(start + (isHere ? text.count : 1))...]
        }
        return offsets
    }

    @inlinable package var status: Status { shape.status }
    /// The owner's index for metrics.
    @inlinable package var route: Int { Int(shape.route) }
    /// The length of the body.
    @inlinable package var bodyCount: Int { Int(shape.bodyCount) }
    /// The length of the head that is sent.
    package var headCount: Int {
        let rest = unsafe shape.shared.map { unsafe $0._withUnsafeGuaranteedRef { $0.shape.headCount } }
        return Int(shape.headCount &+ (rest ?? 0))
    }
    /// Where the Date is in the head that is sent.
    private var dateOffset: Int {
        let rest = unsafe shape.shared.map { unsafe $0._withUnsafeGuaranteedRef { $0.shape.dateOffset } }
        return Int(rest.map { $0 &+ shape.headCount } ?? shape.dateOffset)
    }

    /// Used instead of `header`, which is checked for exclusivity on each access.
    @inlinable @inline(__always)
    var shape: Shape {
        // unsafe because it reads through a pointer, into the object itself.
        unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee }
    }

    /// Whether there is a variable text.
    @inlinable @inline(__always)
    package var isVariable: Bool { shape.variableCount > 0 }

    /// Replaces each occurrence of the variable text.
    ///
    /// - Precondition: it has the length of the text that was passed to `make`.
    package func replaceVariable<Text: BitwiseCopyable>(with text: Text) {
        precondition(MemoryLayout<Text>.size == Int(shape.variableLength), "another length than there is room for")
        // unsafe because it writes through pointers: each offset was found within head and body, with that many bytes
        // after it.
        for number in 0..<Int(shape.variableCount) {
            let slot = unsafe UnsafeMutableRawPointer(head + Int(offsets[number]))
            unsafe slot.storeBytes(of: text, as: Text.self)
        }
    }

    /// Offsets of the variable text, relative to the start of the head.
    private var offsets: UnsafeMutablePointer<Int32> {
        unsafe withUnsafeMutablePointerToElements {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Int32.self)
        }
    }

    /// Valid for the lifetime of the object.
    @inline(__always)
    private var head: UnsafeMutablePointer<UInt8> {
        unsafe withUnsafeMutablePointerToElements { unsafe $0 + Int(shape.headOffset) }
    }

    /// The owner's text; unsafe because it is valid only as long as the object.
    @unsafe @inlinable @inline(__always)
    package var label: UnsafeRawBufferPointer {
        let shape = shape
        return unsafe withUnsafeMutablePointerToElements { start in
            unsafe UnsafeRawBufferPointer(
                start: start + Int(shape.headOffset &- shape.labelCount), count: Int(shape.labelCount))
        }
    }

    /// The handler's fields, as sent.
    package var fields: [UInt8] {
        // unsafe because it reads through a pointer; `copyHead` fills the whole array.
        let head = unsafe [UInt8](unsafeUninitializedCapacity: headCount) { room, count in
            if let start = room.baseAddress { unsafe copyHead(to: UnsafeMutableRawPointer(start)) }
            count = headCount
        }
        return Array(head[ResponseHead.statusLineLength(status)..<dateOffset])
    }

    /// Where the fields begin in the head.
    package var fieldsOffset: Int { ResponseHead.statusLineLength(status) }

    /// Whether this response would be encoded to the same bytes.
    package func says(_ status: Status, _ fields: HeaderFields, body: [UInt8] = []) -> Bool {
        status == self.status && fields.bytes == self.fields && body == self.body
    }

    /// Memory in bytes, in total.
    package var byteCount: Int {
        Self.fixedByteCount &+ Int(shape.headOffset) &+ Int(shape.headCount) &+ bodyCount
    }
    /// The object header, the shape, and the allocator's overhead.
    private static let fixedByteCount = 16 + MemoryLayout<Shape>.size + 16

    /// The body, as sent.
    package var body: [UInt8] {
        // unsafe because it reads through a pointer; the body follows the head.
        unsafe [UInt8](UnsafeBufferPointer(start: head + Int(shape.headCount), count: bodyCount))
    }

    /// Appends the body, once the head is complete.
    package func appendBody(to buffer: ByteBuffer) {
        // unsafe because it copies through pointers: the buffer lends as much room as requested, and the body follows
        // the head.
        unsafe buffer.append(count: bodyCount) { room in
            unsafe room.copyMemory(from: head + Int(shape.headCount), byteCount: bodyCount)
        }
    }

    /// Appends the head.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: ResponseHead.Persistence) {
        let offset = dateOffset
        // unsafe because it copies through pointers: the buffer lends as much room as requested, and the Date line
        // lies within the head.
        unsafe buffer.append(count: headCount) { room in
            unsafe copyHead(to: room)
            unsafe date.store(to: room + offset)
        }
        if case .implied = persistence { return }
        buffer.removeLast(2)
        ResponseHead.appendConnection(persistence, to: buffer)
        buffer.append("\r\n" as StaticString)
    }

    /// Copies the head with an old Date; unsafe because the caller must provide room for `headCount` bytes.
    @unsafe @inline(__always)
    private func copyHead(to room: UnsafeMutableRawPointer) {
        let shape = shape
        let count = Int(shape.headCount)
        // unsafe because it copies through pointers: a shared head has a CRLF before its Date, and both are as long as
        // `headCount` says.
        guard let shared = unsafe shape.shared else { return unsafe room.copyMemory(from: head, byteCount: count) }
        unsafe shared._withUnsafeGuaranteedRef { shared in
            let place = Int(shared.shape.dateOffset) &- 2
            unsafe room.copyMemory(from: shared.head, byteCount: place)
            unsafe (room + place).copyMemory(from: head, byteCount: count)
            unsafe (room + place + count).copyMemory(
                from: shared.head + place, byteCount: Int(shared.shape.headCount) &- place)
        }
    }
}

/// Heads of responses that differ only in the value of their last field, each stored once.
///
/// Isolation: confined to the thread of an event loop, as the responses are.
package final class SharedHeads {
    private struct Key: Hashable {
        let status: Status
        let fields: [UInt8]
    }

    private var heads: [Key: PreparedResponse] = [:]
    /// Fields are of the service's own making, but rules choose among them.
    private static let limit = 64

    package init() {}

    /// The head of these fields without the value of the last one, and that value; nil if it can't be shared.
    fileprivate func head(_ status: Status, _ fields: HeaderFields) -> (head: PreparedResponse, value: [UInt8])? {
        let bytes = fields.bytes
        guard let line = bytes.dropLast(2).lastIndex(of: 0x0A).map({ $0 + 1 }),
            let colon = bytes[line...].firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let value = (colon + 2)..<(bytes.count - 2)
        let key = Key(status: status, fields: Array(bytes[..<value.lowerBound]) + [0x0D, 0x0A])
        if heads[key] == nil, heads.count < Self.limit {
            heads[key] = PreparedResponse.make(status, fields: HeaderFields(encoded: key.fields))
        }
        return heads[key].map { ($0, Array(bytes[value])) }
    }
}
