/// A name that is compared scalar by scalar: Swift's strings are equal where they are canonically equivalent.
struct ExactName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.isSameText(as: right.text) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
