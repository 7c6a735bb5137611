/// Limits of the size of a request head.
///
/// All sizes are in bytes as received. The defaults exceed the 8,000-byte request line that RFC 9112 section 3
/// recommends, and limit the memory of one connection to less than 50 KiB.
package struct HeadLimits: Sendable, Equatable {
    /// Maximum length of the request line, without its CRLF. Default: 16,384 (16 KiB). Beyond: 414.
    package var requestLine: Int
    /// Maximum length of a field line: name, colon and value, without its CRLF. Default: 16,384 (16 KiB). Beyond:
    /// 431.
    package var field: Int
    /// Maximum size of the header section: all field lines with their CRLFs. Default: 32,768 (32 KiB). Beyond: 431.
    package var section: Int
    /// Maximum number of field lines. Default: 100. Beyond: 431.
    package var fieldCount: Int
    /// Maximum number of empty lines (CRLF) before a request line (RFC 9112 section 2.2). Default: 8. Beyond: 400.
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

    /// The largest number of bytes needed to parse a head: a receive buffer of this size always makes progress.
    package var head: Int { emptyLines * 2 + requestLine + 2 + section + 2 }
}
