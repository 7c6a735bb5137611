/// The share of a symbol that may be dirty or covered while it stays readable (ISO/IEC 18004, "error correction
/// level"). More correction takes more modules for the same text.
package enum ErrorCorrection: Sendable, CaseIterable {
    /// About 7 % of the codewords can be restored.
    case low
    /// About 15 %. Suitable for a link on a screen or in print.
    case medium
    /// About 25 %.
    case quartile
    /// About 30 %. For a logo on top of the symbol, or a rough surface.
    case high

    /// The capacity of the largest symbol (version 40) in byte mode.
    package var byteLimit: Int {
        switch self {
        case .low: 2953
        case .medium: 2331
        case .quartile: 1663
        case .high: 1273
        }
    }
}
