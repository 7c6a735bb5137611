import ArgumentParser
import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkSite

/// `waymark links qr LINK`: a link's QR code, as a file, or as text in a terminal.
struct LinksQR: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Draw a link's QR code: into a file, or in the terminal.",
        discussion: """
            waymark links qr go.example.com/spring
            waymark links qr go.example.com/spring --output spring.svg
            waymark links qr go.example.com/spring --format png --size 1024 > spring.png
            """)

    @Argument(help: "The link: its URL, DOMAIN/SLUG or SLUG.")
    var link: String

    @Option(
        name: [.long, .short],
        help: ArgumentHelp(
            "The file; - for standard output. [default: text in a terminal, else standard output]", valueName: "file"))
    var output: String?

    @Option(name: .long, help: "png, svg or text. [default: by the file's name; text in a terminal; else png]")
    var format: String?

    @Option(name: .long, help: ArgumentHelp("Width and height of a picture. [default: 512]", valueName: "pixels"))
    var size: Int?

    @Option(name: .long, help: ArgumentHelp("Width of the empty border. [default: 4]", valueName: "modules"))
    var margin: Int?

    @Option(name: .long, help: "How much damage it survives: L, M, Q or H. [default: M]")
    var level: String?

    @Option(name: .long, help: ArgumentHelp("The colour of a picture. [default: 000000]", valueName: "rrggbb"))
    var dark: String?

    @Option(name: .long, help: ArgumentHelp("The colour behind it. [default: ffffff]", valueName: "rrggbb"))
    var light: String?

    @OptionGroup var client: ClientOptions

    private static let formats = ["png", "svg", "text"]
    private static let levels: [String: ErrorCorrection] = ["L": .low, "M": .medium, "Q": .quartile, "H": .high]

    mutating func run() async throws {
        try CommandFailure.check(format, of: "--format", Self.formats)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let format = format ?? Self.format(ofFile: output) ?? (output == nil && isTerminal ? "text" : "png")
        guard output != nil || format == "text" || !isTerminal else {
            throw CommandFailure.usage("a terminal does not show \(format); give --output FILE")
        }
        let reference = try LinkReference(link)
        let picture = try await picture(reference, format, isTerminal: isTerminal && output == nil)
        guard let output, output != "-" else {
            StandardOutput.reportBrokenPipes()
            do {
                return try FileHandle.standardOutput.write(contentsOf: Data(picture))
            } catch {
                throw CommandFailure.failed("standard output can't be written")
            }
        }
        try Self.write(picture, to: output)
        print("wrote \(output)")
    }

    private func picture(_ reference: LinkReference, _ format: String, isTerminal: Bool) async throws -> [UInt8] {
        let api = try await client.open(.fails)
        do {
            let bytes: [UInt8]
            if format == "text" {
                let found = try await api.link("GET", reference)
                bytes = try text(found["smartlink"]?.string ?? "", isTerminal: isTerminal)
            } else {
                let pairs = [
                    ("size", size.map(String.init)), ("margin", margin.map(String.init)), ("level", level),
                    ("dark", dark), ("light", light),
                ]
                let part = "/qr.\(format)" + PercentEncoding.query(pairs)
                bytes = try await api.linkResponse("GET", reference, part: part).body
            }
            await api.close()
            return bytes
        } catch {
            await api.close()
            throw error
        }
    }

    private func text(_ smartlink: String, isTerminal: Bool) throws -> [UInt8] {
        guard size == nil, dark == nil, light == nil else {
            throw CommandFailure.usage("--size, --dark and --light are of pictures; give --output FILE or --format svg")
        }
        guard QRCode.isAvailable else {
            throw CommandFailure.failed(
                "this program was built without QR codes; give --format svg of a server's --url")
        }
        let margin = margin ?? QRCode.defaultMargin
        guard QRCode.margins.contains(margin) else { throw CommandFailure.usage("--margin: must be 0 to 16") }
        guard let errorCorrection = Self.levels[level ?? "M"] else {
            throw CommandFailure.unknown(level ?? "", of: "--level", ["L", "M", "Q", "H"])
        }
        guard let code = QRCode(text: smartlink, errorCorrection: errorCorrection) else {
            throw CommandFailure.failed("\(smartlink) does not fit into a QR code")
        }
        let environment = ProcessInfo.processInfo.environment
        let isColoured = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        return Array(QRCodeText.text(code.modules, margin: margin, isColoured: isColoured).utf8)
    }

    private static func format(ofFile name: String?) -> String? {
        let end = (name ?? "").split(separator: ".").last.map { $0.lowercased() } ?? ""
        return end == "txt" ? "text" : formats.first { $0 == end }
    }

    /// A picture is no secret: unlike a backup's, its file may be read by others.
    ///
    /// - Throws: `CommandFailure` if a file of this name exists.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw CommandFailure.usage("\(path): the file is there already, and is left as it is")
        } catch {
            throw CommandFailure.usage("\(path): the file can't be written; does its folder exist?")
        }
    }
}

/// A QR code as text: half blocks, two rows of modules in a line.
enum QRCodeText {
    private static let start = "\u{1b}[38;5;16;48;5;231m"
    private static let end = "\u{1b}[0m"

    /// Lines that end with a newline.
    ///
    /// - Parameter isColoured: black on white by escape sequences. Otherwise blocks are the light modules, as terminals
    ///   show light text on a dark ground.
    static func text(_ modules: QRCodeModules, margin: Int, isColoured: Bool) -> String {
        let sides = -margin..<modules.side + margin
        func isInk(_ row: Int, _ column: Int) -> Bool {
            // Below the last line of an odd number there is nothing, which is light.
            guard row < sides.upperBound else { return !isColoured }
            let inside = 0..<modules.side
            let isDark = inside.contains(row) && inside.contains(column) && modules[row: row, column: column]
            return isDark == isColoured
        }
        var text = ""
        for row in stride(from: sides.lowerBound, to: sides.upperBound, by: 2) {
            if isColoured { text += start }
            for column in sides {
                switch (isInk(row, column), isInk(row + 1, column)) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += isColoured ? end + "\n" : "\n"
        }
        return text
    }
}
