/// How large a request head may be before it is refused.
///
/// All sizes are bytes as received. The defaults accept the 8,000-byte request line that RFC 9112 section 3 recommends
/// with room to spare, and keep what one connection can make the server hold below 50 KiB.
package struct HeadLimits: Sendable, Equatable {
    /// Longest request line without its CRLF. Default: 16,384 (16 KiB). Beyond: 414.
    package var requestLine: Int
    /// Longest field line, name, colon and value, without its CRLF. Default: 16,384 (16 KiB). Beyond: 431.
    package var field: Int
    /// Longest header section: all field lines with their CRLFs. Default: 32,768 (32 KiB). Beyond: 431.
    package var section: Int
    /// Most field lines. Default: 100. Beyond: 431.
    package var fieldCount: Int
    /// Most empty lines (CRLF) skipped ahead of a request line (RFC 9112 section 2.2). Default: 8. Beyond: 400.
    package var emptyLines: Int

    /// - Precondition: every limit is positive (`emptyLines` may be 0), and a head fits into 1 GiB.
    package init(
        requestLine: Int = 16_384, field: Int = 16_384, section: Int = 32_768, fieldCount: Int = 100,
        emptyLines: Int = 8
    ) {
        precondition(requestLine > 0 && field > 0 && section > 0 && fieldCount > 0, "limits must be positive")
        precondition(emptyLines >= 0 && emptyLines < 1_024, "between 0 and 1,023 empty lines may be skipped")
        precondition(
            requestLine < 1 << 28 && field < 1 << 28 && section < 1 << 28 && fieldCount < 1 << 16,
            "a head is addressed with 32-bit offsets")
        self.requestLine = requestLine
        self.field = field
        self.section = section
        self.fieldCount = fieldCount
        self.emptyLines = emptyLines
    }

    /// The most bytes that can be needed to decide about a head: a receive buffer of this size always makes progress.
    package var head: Int { emptyLines * 2 + requestLine + 2 + section + 2 }
}
