import Synchronization
import WaymarkJSON
import WaymarkKit

/// Several steps of one or more processes: links that are held back, kept, late and opened again.
@MainActor
final class OpeningCase {
    /// What the app does in this case, whichever process it is.
    private final class App {
        var passes = true
        /// Opened by the filter at its next run.
        var replacement: String?
        var targets: [String] = []
    }

    private let input: JSONValue
    private let app = App()
    private let diagnostics = CaseDiagnostics()
    private var device: CaseClient
    private var deeplinking: Deeplinking

    static func run(_ input: JSONValue) async throws -> JSONObject {
        try await OpeningCase(input).run()
    }

    private init(_ input: JSONValue) throws {
        self.input = input
        device = try CaseClient(input)
        deeplinking = Deeplinking()
        start()
    }

    /// Creates the router of a process.
    private func start() {
        let (app, network, diagnostics) = (app, device.network, diagnostics)
        let deeplinking = Deeplinking(
            client: device.client, urlSchemes: RoutingCase.schemes(input),
            dialect: RoutingCase.dialect(input),
            onDiagnostic: { diagnostics.add($0) })
        // The time limit ends when a late answer was asked for.
        deeplinking.sleep = { _ in try await network.waitForLateRequest() }
        for format in input.texts("routes") {
            try? deeplinking.map(format) { _ in app.targets.append(format) }
        }
        if input["defaultRoute"]?.bool == true { try? deeplinking.mapDefault { _ in app.targets.append("") } }
        deeplinking.addFilter { [weak deeplinking] _ async -> Bool in
            if let replacement = app.replacement {
                app.replacement = nil
                await deeplinking?.open(resolving: replacement)
            }
            return app.passes
        }
        self.deeplinking = deeplinking
    }

    private func run() async throws -> JSONObject {
        var results: [JSONValue] = []
        for step in input["steps"]?.array ?? [] {
            app.targets = []
            let outcome = try await take(step)
            if deeplinking.isWaitingForLateAnswer {
                device.network.lateAnswers.continuation.yield()
                await deeplinking.lateAnswer()
            }
            var result = JSONObject()
            result["status"] = JSONValue(outcome.map(Self.name))
            result["targets"] = JSONValue(app.targets.map { JSONValue($0) })
            result["deeplink"] = deeplinking.currentDeeplink.map(RoutingCase.json) ?? .null
            results.append(JSONValue(result))
        }
        var result = JSONObject()
        result["results"] = JSONValue(results)
        result["requests"] = device.network.requests
        result["installation"] = device.client.installationDeeplink.map(RequestCase.json) ?? .null
        result["events"] = device.events
        result["diagnostics"] = JSONValue(diagnostics.steps.map { JSONValue($0) })
        return result
    }

    private func take(_ step: JSONValue) async throws -> SmartlinkOpening? {
        guard let member = step.object?.members.first else {
            throw CaseFileError("a step must have a member")
        }
        switch member.name {
        case "open": return await deeplinking.open(resolving: member.value.string ?? "")
        case "openSmartlink": return await deeplinking.open(smartlink: member.value.string ?? "")
        case "openDeferred":
            return await device.client.openDeferredDeeplink(
                in: deeplinking, referrer: member.value["referrer"]?.string,
                clipboard: member.value["clipboard"]?.string)
        case "openCurrent": return await deeplinking.openCurrentDeeplink()
        case "passes": app.passes = member.value.bool ?? true
        case "replaces": app.replacement = member.value.string
        case "meanwhile":
            let opensCurrent: @Sendable () async -> Void = { [deeplinking] in
                _ = await deeplinking.openCurrentDeeplink() as SmartlinkOpening?
            }
            device.network.meanwhile.withLock { $0 = opensCurrent }
        case "networkIsBack": await deeplinking.networkIsBack()
        case "after": device.clock.advance(by: member.value.integer ?? 0)
        case "restart":
            device = try CaseClient(input, after: device)
            start()
        default: throw CaseFileError("there is no step \(member.name)")
        }
        return nil
    }

    private static func name(_ outcome: SmartlinkOpening) -> String {
        switch outcome {
        case .opened: "opened"
        case .notOpened: "notOpened"
        case .failed: "failed"
        case .notHandled: "notHandled"
        }
    }
}

/// The names of the router's steps.
private final class CaseDiagnostics: Sendable {
    private let names = Mutex<[String]>([])

    var steps: [String] { names.withLock { $0 } }

    func add(_ diagnostic: LinkDiagnostic) {
        names.withLock { $0.append(diagnostic.step.rawValue) }
    }
}
