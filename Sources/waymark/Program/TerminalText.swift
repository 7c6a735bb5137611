import Foundation

/// Prints a text and a newline. It replaces the library's function in this module, so that no command prints what a stranger wrote
/// as it is: names of links, answers of servers and files may have sequences that change a terminal.
func print(_ text: String) { Swift.print(text.terminalText) }

extension String {
    /// The text with control characters, which move the cursor or set a title, and with marks that reorder a line, as escapes:
    /// `\u001b`. Newlines and tabs stay. JSON means the same afterwards.
    var terminalText: String {
        guard unicodeScalars.contains(where: \.changesTerminals) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard scalar.changesTerminals else {
                text.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            text.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
        }
        return String(text)
    }

    /// The same in one line: line breaks are spaces.
    var oneLine: String {
        String(map { $0.isNewline ? " " : $0 }).terminalText
    }
}

extension Unicode.Scalar {
    /// All of these have at most four hexadecimal digits.
    fileprivate var changesTerminals: Bool {
        switch value {
        case 0x09, 0x0A: false
        // C0, DEL, C1.
        case ..<0x20, 0x7F..<0xA0: true
        // Line and paragraph separators, and overrides of the direction.
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Data {
    /// What is written to `handle`: a file or a program gets the bytes, a terminal a text that can't change it.
    func forTerminal(_ handle: FileHandle) -> Data {
        guard isatty(handle.fileDescriptor) == 1 else { return self }
        return Data(String(decoding: self, as: UTF8.self).terminalText.utf8)
    }
}
