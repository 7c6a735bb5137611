import WaymarkBytes

/// Everything in a chunked body that is not data: sizes, extensions, line ends and trailers, byte by byte (RFC 9112
/// section 7.1).
///
/// Extensions and trailers are validated and dropped (a trailer must not change the head's meaning: RFC 9110 section
/// 6.5.1). Both are bounded, because a client could send them endlessly without a byte of body.
struct ChunkLines: Sendable {
    /// Maximum bytes of extensions on one line, from the first white space or semicolon on.
    static let extensionLimit = 256
    /// Default limit of redundant bytes in a whole body: extensions, leading zeros of sizes, trailers. 16 KiB.
    package static let overheadLimit = 16_384
    /// Maximum bytes of trailers, including their line ends: 8 KiB.
    static let trailersLimit = 8_192
    static let trailerLinesLimit = 64

    enum Outcome {
        case more
        /// A chunk of this many bytes follows; never 0.
        case chunk(UInt64)
        /// The last line of the body has ended.
        case end
        case reject(ParseError)
    }

    private enum State: Sendable {
        case size
        /// White space after the size or an extension; only a semicolon may follow.
        case beforeSemicolon
        case beforeName, name
        /// White space after an extension's name.
        case afterName
        case beforeValue, value, quoted, quotedEscape, afterValue
        case sizeLineFeed
        case dataReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
    }

    private var state = State.size
    private var size: UInt64 = 0
    private var digits = 0
    private var lineExtension = 0
    private var overhead = 0
    private let limit: Int
    private var trailers = 0
    private var trailerLines = 0

    init(overheadLimit: Int = ChunkLines.overheadLimit) {
        limit = overheadLimit
    }

    /// Consumes one byte. After `.chunk` the caller skips the data; the next byte passed is the one after it.
    mutating func take(_ byte: UInt8) -> Outcome {
        switch state {
        case .size: takeSize(byte)
        case .sizeLineFeed: takeEndOfSizeLine(byte)
        case .dataReturn: expect(0x0D, byte, then: .dataLineFeed, else: .malformedChunkEnd)
        case .dataLineFeed: expect(0x0A, byte, then: .size, else: .malformedChunkEnd)
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed: takeTrailer(byte)
        default: takeExtension(byte)
        }
    }

    private mutating func expect(_ wanted: UInt8, _ byte: UInt8, then next: State, else refusal: ParseError) -> Outcome
    {
        if byte != wanted { return .reject(refusal) }
        state = next
        return .more
    }

    private mutating func takeSize(_ byte: UInt8) -> Outcome {
        if let digit = byte.hexadecimalValue {
            // Sixteen digits, including leading zeros, are 64 bits: a size can't overflow.
            if digits == 16 { return .reject(.malformedChunkSize) }
            digits += 1
            if size == 0, digits > 1 {
                overhead += 1
                if overhead > limit { return .reject(.chunkExtensionsTooLong) }
            }
            size = size << 4 | UInt64(digit)
            return .more
        }
        if digits == 0 { return .reject(.malformedChunkSize) }
        switch byte {
        case 0x0D: state = .sizeLineFeed
        case UInt8(ascii: ";"):
            state = .beforeName
            return countExtension()
        case 0x20, 0x09:
            state = .beforeSemicolon
            return countExtension()
        default: return .reject(.malformedChunkSize)
        }
        return .more
    }

    private mutating func takeEndOfSizeLine(_ byte: UInt8) -> Outcome {
        if byte != 0x0A { return .reject(.malformedChunkSize) }
        let size = size
        self.size = 0
        digits = 0
        lineExtension = 0
        if size == 0 {
            state = .trailerStart
            return .more
        }
        state = .dataReturn
        return .chunk(size)
    }

    private mutating func countExtension() -> Outcome {
        lineExtension += 1
        overhead += 1
        let isTooLong = lineExtension > Self.extensionLimit || overhead > limit
        return isTooLong ? .reject(.chunkExtensionsTooLong) : .more
    }

    /// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`; white space only between two of these.
    private mutating func takeExtension(_ byte: UInt8) -> Outcome {
        let isToken = ASCIISet.token.contains(byte)
        switch (state, byte) {
        case (.beforeSemicolon, 0x20), (.beforeSemicolon, 0x09), (.beforeName, 0x20), (.beforeName, 0x09): break
        case (.afterName, 0x20), (.afterName, 0x09), (.beforeValue, 0x20), (.beforeValue, 0x09): break
        case (.beforeSemicolon, 0x3B), (.name, 0x3B), (.afterName, 0x3B), (.value, 0x3B), (.afterValue, 0x3B):
            state = .beforeName
        case (.name, 0x20), (.name, 0x09): state = .afterName
        case (.value, 0x20), (.value, 0x09), (.afterValue, 0x20), (.afterValue, 0x09): state = .beforeSemicolon
        case (.name, 0x3D), (.afterName, 0x3D): state = .beforeValue
        case (.beforeName, _) where isToken: state = .name
        case (.name, _) where isToken: break
        case (.beforeValue, 0x22): state = .quoted
        case (.beforeValue, _) where isToken: state = .value
        case (.value, _) where isToken: break
        case (.quoted, 0x22): state = .afterValue
        case (.quoted, 0x5C): state = .quotedEscape
        case (.quoted, 0x09), (.quoted, 0x20...0x7E), (.quoted, 0x80...0xFF): break
        case (.quotedEscape, 0x09), (.quotedEscape, 0x20...0x7E), (.quotedEscape, 0x80...0xFF): state = .quoted
        case (.name, 0x0D), (.value, 0x0D), (.afterValue, 0x0D):
            state = .sizeLineFeed
            return .more
        default: return .reject(.malformedChunkExtension)
        }
        return countExtension()
    }

    private mutating func takeTrailer(_ byte: UInt8) -> Outcome {
        trailers += 1
        overhead += 1
        // The empty line that ends the section does not count: a section of exactly the maximum size is valid.
        if trailers > Self.trailersLimit + 2 || overhead > limit + 2 { return .reject(.trailersTooLong) }
        switch (state, byte) {
        case (.trailerStart, 0x0D): state = .lastLineFeed
        case (.trailerStart, _) where ASCIISet.token.contains(byte):
            trailerLines += 1
            if trailerLines > Self.trailerLinesLimit { return .reject(.trailersTooLong) }
            state = .trailerName
        case (.trailerName, 0x3A): state = .trailerValue
        case (.trailerName, _) where ASCIISet.token.contains(byte): break
        case (.trailerValue, 0x0D): state = .trailerLineFeed
        case (.trailerValue, 0x09), (.trailerValue, 0x20...0x7E), (.trailerValue, 0x80...0xFF): break
        case (.trailerLineFeed, 0x0A): state = .trailerStart
        case (.lastLineFeed, 0x0A): return .end
        default: return .reject(.malformedTrailer)
        }
        return .more
    }
}
