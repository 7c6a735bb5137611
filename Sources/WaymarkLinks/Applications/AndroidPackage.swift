import WaymarkBytes

/// The name of an Android app's package (Android's "Set the application ID").
package enum AndroidPackage {
    /// Two or more segments of letters, digits and underscores, each starting with a letter; at most 255 bytes.
    package static func isValid(_ text: String) -> Bool {
        let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && segments.count >= 2
            && segments.allSatisfy { segment in
                segment.first?.isLetter == true && segment.allSatisfy(\.isVariableCharacter)
            }
    }
}
