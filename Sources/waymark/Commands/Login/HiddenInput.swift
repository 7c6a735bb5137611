import Foundation

/// A line from the terminal that is not shown, such as a key.
///
/// Safety: system calls read and write structures and single bytes of the caller.
enum HiddenInput {
    /// As long as a key may be, and more than that.
    static let limit = 4_096

    /// Asks on the terminal that the command runs in. Nil if there is none.
    ///
    /// - Throws: `CommandFailure` if it is interrupted, or if the line is too long.
    static func line(_ question: String) throws -> String? {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return nil }
        var hidden = settings
        // Without signals, so that an interruption can't leave the terminal without an echo.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let handle = FileHandle(fileDescriptor: terminal)
        try? handle.write(contentsOf: Data("\(question): ".utf8))
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer {
            _ = unsafe tcsetattr(terminal, TCSAFLUSH, &settings)
            try? handle.write(contentsOf: Data("\n".utf8))
        }
        var line = HiddenLine()
        while true {
            guard let byte = try? handle.read(upToCount: 1)?.first else { throw CommandFailure.failed("interrupted") }
            switch line.add(byte) {
            case .more: continue
            case .end: return line.text
            case .interruption: throw CommandFailure.failed("interrupted")
            case .tooLong: throw CommandFailure.usage("the input is too long for a key")
            }
        }
    }
}

/// A line as keys are pressed.
struct HiddenLine {
    enum State { case more, end, interruption, tooLong }

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(_ byte: UInt8) -> State {
        switch byte {
        case 0x0A, 0x0D: return .end
        // Control-C, Control-D, Control-\.
        case 0x03, 0x04, 0x1C: return .interruption
        case 0x08, 0x7F: bytes = Array(bytes.dropLast())
        // Control-U.
        case 0x15: bytes = []
        default: bytes.append(byte)
        }
        return bytes.count > HiddenInput.limit ? .tooLong : .more
    }
}
