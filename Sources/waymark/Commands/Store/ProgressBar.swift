import Foundation

/// Shows the progress of a long command on standard error, if that is a terminal.
final class ProgressBar {
    private static let width = 30
    private static let interval = 0.1

    private let label: String
    private let all: Int
    private let isShown: Bool
    private let begun = Date()
    private var drawn = Date.distantPast
    private var isDrawn = false

    /// - Parameter all: the approximate amount of work; 0 if unknown.
    init(_ label: String, all: Int) {
        self.label = label
        self.all = all
        isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
    }

    func show(_ done: Int) { show(done, of: all) }

    func show(_ done: Int, of all: Int) {
        guard isShown, Date().timeIntervalSince(drawn) >= Self.interval else { return }
        drawn = Date()
        isDrawn = true
        write("\r" + Self.text(label, done: done, all: all, seconds: drawn.timeIntervalSince(begun)) + "\u{1B}[K")
    }

    /// Removes the bar from the terminal.
    func end() {
        if isDrawn { write("\r\u{1B}[K") }
        isDrawn = false
    }

    deinit { end() }

    static func text(_ label: String, done: Int, all: Int, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        guard all > 0 else { return "\(label) \(done), \(rate)/s" }
        let share = min(1, max(0, Double(done) / Double(all)))
        let full = Int(share * Double(width))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        var text = "\(label) [\(bar)] \(Int(share * 100)) %, \(rate)/s"
        if share > 0, share < 1 { text += ", \(Int(seconds / share - seconds)) s left" }
        return text
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
