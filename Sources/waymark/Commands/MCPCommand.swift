import ArgumentParser
import Foundation
import WaymarkClient
import WaymarkSite

/// `waymark mcp`: the Model Context Protocol on standard input and output, one message a line. Standard output has nothing else.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an assistant find, create, explain and count links, over standard input and output.",
        discussion: """
            For assistants that speak the Model Context Protocol and start their servers themselves. With --url it can do what the \
            key can; on the database it can do everything. It ends with its input.
            """)

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        StandardOutput.reportBrokenPipes()
        let api = try await client.open(.fails)
        let server = MCPServer(apiDocument: EmbeddedFile.apiDocument)
        let lines = MessageLines()
        while let line = await NetworkThread.run({ lines.next() }) {
            switch line {
            case .tooLong: write(MCPServer.tooLong(limit: MessageLines.limit))
            case .message(let message):
                switch await server.answer(to: message, through: APICaller(api: api)) {
                case .none: break
                case .message(let answer), .malformed(let answer): write(answer)
                }
            }
        }
        await api.close()
    }

    /// If nobody reads any more, the input ends too.
    private func write(_ message: [UInt8]) {
        try? FileHandle.standardOutput.write(contentsOf: Data(message + [UInt8(ascii: "\n")]))
    }
}

/// Requests of tools, sent where the command runs.
private struct APICaller: RESTCaller {
    let api: any API

    func send(_ request: RESTRequest) async throws(RESTFailure) -> RESTResponse {
        var message = APIRequest(method: request.method, target: request.target, body: request.body?.bytes)
        if let body = request.body { message.contentType = body.contentType }
        message.fields = request.fields.map { ($0.name, $0.value) } + [(AssistantField.name, AssistantField.value)]
        do {
            let response = try await api.send(message)
            return RESTResponse(status: response.status, body: response.body)
        } catch {
            throw RESTFailure(reason: (error as? CommandFailure)?.message ?? "The request failed.")
        }
    }
}
