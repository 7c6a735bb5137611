import WaymarkJSON

/// Where something is written in a file.
struct CodePlace: Sendable {
    let path: String
    private let source: [UInt8]
    private let offset: Int

    init(_ path: String, _ source: [UInt8], at offset: Int) {
        self.path = path
        self.source = source
        self.offset = offset
    }

    /// Linear in the file's length: only for what is shown.
    var line: Int { JSONPosition(of: offset, in: source).line }
    var text: String { "\(path):\(line)" }

    /// The lines of places; each file is read once if they are in its order.
    static func lines(of places: [CodePlace]) -> [Int] {
        var (path, offset, line) = ("", 0, 1)
        return places.map { place in
            if place.path != path || place.offset < offset { (path, offset, line) = (place.path, 0, 1) }
            let part = Array(place.source[offset..<place.offset])
            line += JSONPosition(of: part.count, in: part).line - 1
            offset = place.offset
            return line
        }
    }

    /// In the same file.
    func moved(to offset: Int) -> CodePlace { CodePlace(path, source, at: offset) }
}

/// What is wrong with the files, in order; the first ones are shown.
struct CodeProblems {
    private static let limit = 20
    private var lines: [String] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ place: String, _ problem: @autoclosure () -> String) {
        count += 1
        if lines.count < Self.limit { lines.append("\(place): \(problem())") }
    }

    mutating func add(_ place: @autoclosure () -> CodePlace, _ problem: @autoclosure () -> String) {
        count += 1
        if lines.count < Self.limit { lines.append("\(place().text): \(problem())") }
    }

    /// Shows them.
    ///
    /// - Parameter failure: what the last one is thrown as.
    /// - Throws: `CommandFailure` if there are any.
    func check(_ failure: (String) -> CommandFailure = { .usage($0) }) throws {
        guard let last = lines.last else { return }
        for line in lines.dropLast() { StandardError.write(line) }
        throw failure(count > lines.count ? "\(last); and \(count - lines.count) more" : last)
    }
}
