extension String {
    /// Scalar by scalar: Swift's own comparison takes canonically equivalent texts for equal.
    func isSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A text in quotation marks for a sentence: on one line, and no longer than people read.
func quoted(_ text: some StringProtocol) -> String { "\"\(shortened(text))\"" }

/// The same without quotation marks.
func shortened(_ text: some StringProtocol, to length: Int = 80) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < length else { return shown + "…" }
        count += 1
        if scalar == "\"" || scalar.value < 0x20 || scalar.value == 0x7F {
            shown += scalar == "\"" ? "\\\"" : "\u{FFFD}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}
