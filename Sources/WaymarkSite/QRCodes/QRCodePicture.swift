import WaymarkAPI
import WaymarkHTTP

/// The image of a QR code, and the header fields that describe it.
struct QRCodePicture {
    let bytes: [UInt8]
    let fields: HeaderFields

    /// - Parameter smartlink: the URL in the code.
    /// - Throws: a problem if the URL is too long for a code, or the image too small for it.
    init(of smartlink: String, _ order: QRCodeOrder) throws(Problem) {
        guard let code = QRCode(text: smartlink, errorCorrection: order.errorCorrection) else {
            throw Problem(.resourceUnknown, "The link's address is too long for a QR code.")
        }
        let bytes: [UInt8]?
        switch order.format {
        case .png:
            bytes = code.png(size: order.size, margin: order.margin, palette: order.palette)
            fields = Self.pngFields
        case .svg:
            bytes = code.svg(size: order.size, margin: order.margin, palette: order.palette)
            fields = Self.svgFields
        }
        guard let bytes else {
            let least = code.modules.side + 2 * order.margin
            throw Problem(invalid: [
                FieldProblem(field: "size", problem: "must be at least \(least) for this link with this margin")
            ])
        }
        self.bytes = bytes
    }

    /// - Throws: a problem if this build can't draw QR codes.
    static func checkAvailability() throws(Problem) {
        guard QRCode.isAvailable else {
            throw Problem(.resourceUnknown, "This server was built without QR codes (package trait QRCode).")
        }
    }

    private static let pngFields = HeaderFields((.contentType, "image/png"), (.xContentTypeOptions, "nosniff"))

    private static let svgFields: HeaderFields = {
        var fields = HeaderFields((.contentType, "image/svg+xml"), (.xContentTypeOptions, "nosniff"))
        _ = fields.append(.contentSecurityPolicy, Page.contentSecurityPolicy)
        return fields
    }()
}
