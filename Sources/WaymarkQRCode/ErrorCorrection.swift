/// How much of a symbol may be dirty or covered before it can't be read any more (ISO/IEC 18004, "error correction
/// level"). More correction means more modules for the same text.
package enum ErrorCorrection: Sendable, CaseIterable {
    /// About 7 % of the codewords can be restored.
    case low
    /// About 15 %. What a link on a screen or in print needs.
    case medium
    /// About 25 %.
    case quartile
    /// About 30 %. For a logo on top of the symbol, or a rough surface.
    case high

    /// The most bytes that the largest symbol (version 40) holds in byte mode.
    package var byteLimit: Int {
        switch self {
        case .low: 2953
        case .medium: 2331
        case .quartile: 1663
        case .high: 1273
        }
    }
}
