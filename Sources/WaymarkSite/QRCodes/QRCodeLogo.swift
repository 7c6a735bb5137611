import Synchronization
import WaymarkBytes

/// The picture in the middle of an application's QR codes.
struct QRCodeLogo: Sendable {
    static let byteLimit = 65_536

    enum Content: Sendable {
        case png(RasterImage)
        case svg
    }

    let bytes: [UInt8]
    let content: Content

    var mediaType: String {
        switch content {
        case .png: Self.png
        case .svg: Self.svg
        }
    }

    static let png = "image/png"
    static let svg = "image/svg+xml"

    /// What is wrong with it, as a sentence without a subject.
    struct Failure: Error {
        let problem: String
    }

    /// - Parameter mediaType: what it must be; nil: what it is.
    init(_ bytes: [UInt8], mediaType: String? = nil) throws(Failure) {
        self.bytes = bytes
        guard bytes.count <= Self.byteLimit else { throw Failure(problem: "is longer than \(Self.byteLimit) bytes") }
        let isPNG = bytes.starts(with: BilevelPNG.signature)
        if let mediaType, (mediaType == Self.png) != isPNG {
            throw Failure(problem: isPNG ? "is a PNG, and not what Content-Type says" : "is no PNG")
        }
        guard isPNG else {
            do throws(PlainSVG.Failure) {
                try PlainSVG.check(bytes)
            } catch {
                throw Failure(problem: error.problem)
            }
            content = .svg
            return
        }
        do throws(PNGReader.Failure) {
            content = .png(try PNGReader.image(bytes))
        } catch {
            throw Failure(problem: error.problem)
        }
    }

    /// Logos that were read, because each code of an application has the same one.
    private static let known = Mutex<[[UInt8]: QRCodeLogo]>([:])
    private static let knownLimit = 8

    /// A logo that was accepted before; nil if it can't be read.
    static func known(_ bytes: [UInt8]) -> QRCodeLogo? {
        if let logo = known.withLock({ $0[bytes] }) { return logo }
        guard let logo = try? QRCodeLogo(bytes) else { return nil }
        known.withLock { known in
            if known.count >= knownLimit { known.removeAll() }
            known[bytes] = logo
        }
        return logo
    }

    /// Only a program that draws SVG could draw one in a PNG.
    func isDrawn(in format: QRCodeOrder.Format) -> Bool {
        switch content {
        case .png: true
        case .svg: format == .svg
        }
    }

    var dataURL: String { "data:\(mediaType);base64," + Base64.text(bytes) }

    /// The modules of each row and column that the logo takes, in the middle: what is covered has to be corrected, and dirt
    /// too. A fifth (level Q) or a quarter (H) is less than half of what the level can restore, and touches no finder pattern.
    static func modules(of side: Int, _ correction: ErrorCorrection) -> Range<Int> {
        let most = side / (correction == .high ? 4 : 5)
        let count = most % 2 == 1 ? most : most - 1
        let start = (side - count) / 2
        return start..<start + count
    }
}
