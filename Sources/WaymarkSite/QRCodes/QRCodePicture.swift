import WaymarkAPI
import WaymarkHTTP

/// The image of a QR code, and the header fields that describe it.
struct QRCodePicture {
    let bytes: [UInt8]
    let fields: HeaderFields

    /// - Parameters:
    ///   - smartlink: the URL in the code.
    ///   - logo: what the application has for its codes. One in SVG is in no PNG, one that can't be read is left out.
    /// - Throws: a problem if the URL is too long for a code, or the image too small for it.
    init(of smartlink: String, logo: [UInt8]?, _ order: QRCodeOrder) throws(Problem) {
        if order.hasLogo, let logo = logo.flatMap({ QRCodeLogo.known($0) }), logo.isDrawn(in: order.format),
            let found = try Self.withLogo(smartlink, logo, order)
        {
            self = found
            return
        }
        guard let code = QRCode(text: smartlink, errorCorrection: order.errorCorrection ?? .medium) else {
            throw Problem(.resourceUnknown, "The link's address is too long for a QR code.")
        }
        switch order.format {
        case .png:
            let picture = code.png(size: order.size, margin: order.margin, palette: order.palette)
            try self.init(picture, of: code, order, Self.pngFields)
        case .svg:
            let picture = code.svg(size: order.size, margin: order.margin, palette: order.palette)
            try self.init(picture, of: code, order, Self.svgFields)
        }
    }

    /// With as much error correction as is asked for, but enough for the logo. Nil if no such code holds the address.
    private static func withLogo(
        _ smartlink: String, _ logo: QRCodeLogo, _ order: QRCodeOrder
    ) throws(Problem) -> QRCodePicture? {
        let levels: [ErrorCorrection] = order.errorCorrection == .quartile ? [.quartile] : [.high, .quartile]
        for level in levels {
            guard let code = QRCode(text: smartlink, errorCorrection: level) else { continue }
            let covered = QRCodeLogo.modules(of: code.modules.side, level)
            switch (order.format, logo.content) {
            case (.png, .png(let image)):
                let picture = code.png(
                    size: order.size, margin: order.margin, palette: order.palette, logo: image, on: covered)
                return try QRCodePicture(picture, of: code, order, pngFields)
            default:
                let picture = code.svg(
                    size: order.size, margin: order.margin, palette: order.palette, logo: logo.dataURL, on: covered)
                return try QRCodePicture(picture, of: code, order, logoFields)
            }
        }
        return nil
    }

    /// - Parameter bytes: nil if the size is too small for the code.
    private init(
        _ bytes: [UInt8]?, of code: QRCode, _ order: QRCodeOrder, _ fields: HeaderFields
    ) throws(Problem) {
        guard let bytes else {
            let least = code.modules.side + 2 * order.margin
            throw Problem(invalid: [
                FieldProblem(field: "size", problem: "must be at least \(least) for this link with this margin")
            ])
        }
        self.bytes = bytes
        self.fields = fields
    }

    /// Of the logo alone.
    static func fields(of logo: QRCodeLogo) -> HeaderFields {
        switch logo.content {
        case .png: pngFields
        case .svg: svgFields
        }
    }

    /// - Throws: a problem if this build can't draw QR codes.
    static func checkAvailability() throws(Problem) {
        guard QRCode.isAvailable else {
            throw Problem(.resourceUnknown, "This server was built without QR codes (package trait QRCode).")
        }
    }

    private static let pngFields = HeaderFields((.contentType, "image/png"), (.xContentTypeOptions, "nosniff"))

    private static let svgFields = svgFields(Page.contentSecurityPolicy)
    private static let logoFields = svgFields(Page.pictureContentSecurityPolicy)

    private static func svgFields(_ policy: String) -> HeaderFields {
        var fields = HeaderFields((.contentType, "image/svg+xml"), (.xContentTypeOptions, "nosniff"))
        _ = fields.append(.contentSecurityPolicy, policy)
        return fields
    }
}
