package import WaymarkJSON

/// The body of `POST /api/v1/links:lock`.
package struct ApplyLockRequest: Sendable {
    /// Whose links are applied.
    package var owner = ""
    /// Of the lock that the caller holds.
    package var token: String?
    package var release: Bool?
    /// Whose links `versions` are.
    package var app: String?
    /// That the apply left, by `domain/slug`, and as `application` of the application; 1 or less forgets it.
    package var versions: [String: Int]?

    /// Bytes of a domain and slug.
    private static let addressLimit = 1_024

    package static let shape = JSONShape.object([
        "owner": .scalar, "token": .scalar, "release": .scalar, "app": .scalar,
        "versions": .map(.scalar, atMost: BulkLimits.links),
    ])

    /// - Throws: `BodyError` with all invalid members.
    package init(json: [UInt8]) throws(BodyError) {
        self = try ObjectReader.body(json, shape: Self.shape) { reader in
            var request = ApplyLockRequest()
            request.owner = reader.required("owner") ?? ""
            request.token = reader.string("token")
            request.release = reader.bool("release")
            request.app = reader.string("app")
            request.versions = reader.dictionary("versions") { value, field, reader -> Int? in
                guard let version = value.integer else {
                    reader.reject(field(), value, mustBe: "an integer")
                    return nil
                }
                return version
            }
            if request.owner.isEmpty || request.owner.unicodeScalars.count > LinkLabel.managedBy.limit {
                reader.reject("owner", "must have 1 to \(LinkLabel.managedBy.limit) characters")
            }
            if let names = request.versions?.keys, names.contains(where: { $0.utf8.count > Self.addressLimit }) {
                reader.reject("versions", "must have names of at most \(Self.addressLimit) bytes")
            }
            if request.release == true || request.versions != nil, request.token == nil {
                reader.reject("token", "is missing")
            }
            if request.versions != nil, request.app == nil { reader.reject("app", "is missing") }
            return request
        }
    }

    private init() {}
}
