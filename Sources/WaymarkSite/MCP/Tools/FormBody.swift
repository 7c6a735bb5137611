import WaymarkAPI
import WaymarkJSON

/// The body of an import that sends a file (RFC 7578).
enum FormBody {
    static let fileField = "file"

    /// - Parameter fields: names from the API document, which need no quoting.
    static func body(
        _ fields: [(name: String, value: [UInt8])], fixed: [String: JSONValue]
    ) throws(Problem) -> RESTRequest.Body {
        let boundary = boundary(fields.map(\.value))
        var bytes: [UInt8] = []
        for field in fields + fixed.map({ ($0.key, $0.value.bytes()) }) {
            let file = field.name == fileField ? "; filename=\"arguments.file\"" : ""
            bytes += Array("--\(boundary)\r\n".utf8)
            bytes += Array("Content-Disposition: form-data; name=\"\(field.name)\"\(file)\r\n\r\n".utf8)
            bytes += field.value + Array("\r\n".utf8)
        }
        bytes += Array("--\(boundary)--\r\n".utf8)
        return RESTRequest.Body(contentType: "multipart/form-data; boundary=\(boundary)", bytes: bytes)
    }

    /// A text that no value contains.
    private static func boundary(_ values: [[UInt8]]) -> String {
        while true {
            let boundary = "waymark-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            if !values.contains(where: { $0.firstRange(of: Array(boundary.utf8)) != nil }) { return boundary }
        }
    }
}
