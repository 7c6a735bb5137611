extension String {
    /// The bytes as text; nil where they are not UTF-8 (RFC 3629). Nothing is repaired.
    @inlinable
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(unrepaired: bytes)
        }
    }

    /// As `init(validUTF8:)`, for systems without `init(validating:as:)`. What is repaired becomes U+FFFD, whose bytes
    /// differ from any that needed repair.
    @inlinable
    init?(unrepaired bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
