/// A response that is encoded once and copied out any number of times: only its Date changes and, on request, each
/// occurrence of one variable text.
///
/// One block of memory, because with many responses each is usually out of the cache: the whole head with its empty
/// line, as an HTTP/1.1 client gets it on a persistent connection, then the body.
///
/// `@safe` because only this object has access to the memory, and after `make` only `replaceVariable` changes it.
@safe @usableFromInline
package final class PreparedResponse: ManagedBuffer<PreparedResponse.Shape, UInt8> {
    /// A multiple of eight bytes, so that the memory after it is 8-byte aligned.
    @usableFromInline
    package struct Shape: Sendable {
        @usableFromInline let status: Status
        @usableFromInline let route: Int32
        /// Offset of the head: after the offsets of the variable text.
        @usableFromInline let headOffset: Int32
        @usableFromInline let headCount: Int32
        @usableFromInline let bodyCount: Int32
        /// Offset of the Date line in the head.
        @usableFromInline let dateOffset: Int32
        /// Number of occurrences of the variable text in head and body.
        @usableFromInline let variableCount: Int32
        /// Length of the variable text.
        @usableFromInline let variableLength: Int32
    }

    /// Size of the offsets before the head.
    private static func offsetBytes(_ count: Int) -> Int { count &* MemoryLayout<Int32>.stride }

    /// - Parameters:
    ///   - route: the owner's index for metrics; not interpreted here.
    ///   - variable: a placeholder, to be replaced in each copy by another text of the same length; must not occur in
    ///     the response by chance. Empty for none.
    /// - Precondition: the status allows a Date, so it is not 1xx; a status that forbids a body has none.
    package static func make(
        _ status: Status, fields: HeaderFields, body: [UInt8] = [], route: Int = 0, variable: [UInt8] = []
    ) -> PreparedResponse {
        precondition(status.code >= 200, "an interim response has no Date")
        precondition(body.isEmpty || !status.forbidsBody, "this status has no body")
        let bytes = ByteBuffer(capacity: 1_024)
        ResponseHead(status: status, fields: fields, contentLength: status.code == 304 ? nil : UInt64(body.count))
            .append(to: bytes, date: DateLine(unixSeconds: 0), persistence: .implied)
        let headCount = bytes.count
        bytes.append(body)
        let offsets = variable.isEmpty ? [] : Self.offsets(of: variable, in: bytes.bytes)
        let headOffset = offsetBytes(offsets.count)
        let buffer = create(minimumCapacity: headOffset + bytes.count) { _ in
            Shape(
                status: status, route: Int32(route), headOffset: Int32(headOffset),
                headCount: Int32(headCount), bodyCount: Int32(body.count),
                dateOffset: Int32(ResponseHead.statusLineLength(status) + fields.bytes.count),
                variableCount: Int32(offsets.count), variableLength: Int32(variable.count))
        }
        // unsafe because it copies through pointers: there is room for that many offsets and bytes, and `create`
        // makes this class.
        let response = unsafe unsafeDowncast(buffer, to: PreparedResponse.self)
        unsafe bytes.withBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(response.head).copyMemory(from: source, byteCount: bytes.count)
        }
        for (number, offset) in offsets.enumerated() { unsafe response.offsets[number] = offset }
        return response
    }

    /// An empty one, to be composed of another one for each request.
    ///
    /// - Parameter room: in bytes, for head and body.
    package static func makeRoom(_ room: Int) -> PreparedResponse {
        let shape = Shape(
            status: .noContent, route: 0, headOffset: 0, headCount: 0, bodyCount: 0, dateOffset: 0, variableCount: 0,
            variableLength: 0)
        let buffer = create(minimumCapacity: room) { _ in shape }
        // unsafe because `create` makes this class.
        return unsafe unsafeDowncast(buffer, to: PreparedResponse.self)
    }

    /// Becomes a copy of another response with a text inserted in one of its fields; false if there is no room for it.
    ///
    /// - Parameter offset: in the head, before its Date.
    /// - Precondition: the other response has no variable text.
    package func compose(_ other: PreparedResponse, inserting text: [UInt8], at offset: Int) -> Bool {
        let source = other.shape
        precondition(source.variableCount == 0, "a variable text would lose its place")
        precondition(offset >= 0 && offset <= Int(source.dateOffset), "the place is not in a field")
        let total = Int(source.headCount) + Int(source.bodyCount)
        guard total + text.count <= capacity else { return false }
        // unsafe because it copies through pointers: this object has room for all, the two parts of the other one are
        // within its head and body, and offsets begin at 0 without a variable text.
        unsafe withUnsafeMutablePointers { header, start in
            unsafe header.pointee = Shape(
                status: source.status, route: source.route, headOffset: 0,
                headCount: source.headCount + Int32(text.count), bodyCount: source.bodyCount,
                dateOffset: source.dateOffset + Int32(text.count), variableCount: 0, variableLength: 0)
            let target = UnsafeMutableRawPointer(start)
            unsafe target.copyMemory(from: other.head, byteCount: offset)
            unsafe text.withUnsafeBytes { text in
                guard let first = text.baseAddress else { return }
                unsafe (target + offset).copyMemory(from: first, byteCount: text.count)
            }
            unsafe (target + offset + text.count).copyMemory(from: other.head + offset, byteCount: total - offset)
        }
        return true
    }

    /// Where a text begins in the fields of the head; nil if it is not there.
    package func offset(of text: [UInt8]) -> Int? {
        fields.firstRange(of: text).map { $0.lowerBound + ResponseHead.statusLineLength(status) }
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
    private var headCount: Int { Int(shape.headCount) }
    private var dateOffset: Int { Int(shape.dateOffset) }

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
        let start = unsafe head - Self.offsetBytes(Int(shape.variableCount))
        return unsafe UnsafeMutableRawPointer(start).assumingMemoryBound(to: Int32.self)
    }

    /// Valid for the lifetime of the object.
    @inline(__always)
    private var head: UnsafeMutablePointer<UInt8> {
        unsafe withUnsafeMutablePointerToElements { unsafe $0 + Int(shape.headOffset) }
    }

    /// The handler's fields, as sent.
    package var fields: [UInt8] {
        // unsafe because it reads through a pointer; the fields are between the status line and the Date.
        let start = ResponseHead.statusLineLength(status)
        return unsafe [UInt8](UnsafeBufferPointer(start: head + start, count: dateOffset - start))
    }

    /// Whether this response would be encoded to the same bytes.
    package func says(_ status: Status, _ fields: HeaderFields, body: [UInt8] = []) -> Bool {
        status == self.status && fields.bytes == self.fields && body == self.body
    }

    /// Memory in bytes, in total.
    package var byteCount: Int {
        Self.fixedByteCount &+ Int(shape.headOffset) &+ headCount &+ bodyCount
    }
    /// The object header, the shape, and the allocator's overhead.
    private static let fixedByteCount = 16 + MemoryLayout<Shape>.size + 16

    /// The body, as sent.
    package var body: [UInt8] {
        // unsafe because it reads through a pointer; the body follows the head.
        unsafe [UInt8](UnsafeBufferPointer(start: head + headCount, count: bodyCount))
    }

    /// Appends the body, once the head is complete.
    package func appendBody(to buffer: ByteBuffer) {
        // unsafe because it copies through pointers: the buffer lends as much room as requested, and the body follows
        // the head.
        unsafe buffer.append(count: bodyCount) { room in
            unsafe room.copyMemory(from: head + headCount, byteCount: bodyCount)
        }
    }

    /// Appends the head.
    package func append(to buffer: ByteBuffer, date: DateLine, persistence: ResponseHead.Persistence) {
        let offset = dateOffset
        // unsafe because it copies through pointers: the buffer lends as much room as requested, and the Date line
        // lies within the head.
        unsafe buffer.append(count: headCount) { room in
            unsafe room.copyMemory(from: head, byteCount: headCount)
            unsafe date.store(to: room + offset)
        }
        if case .implied = persistence { return }
        buffer.removeLast(2)
        ResponseHead.appendConnection(persistence, to: buffer)
        buffer.append("\r\n" as StaticString)
    }
}
