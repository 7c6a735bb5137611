import WaymarkLinks
import WaymarkStores

extension WriteID {
    /// A write of a writer of its own.
    static var once: WriteID {
        WriteID(
            writer: (0..<16).map { _ in .random(in: 0...255) }, batch: 1, expiresAt: Timestamp(rawValue: .max))
    }
}
