import ArgumentParser
import Foundation
import WaymarkAPI
import WaymarkJSON

/// What `waymark plan` and `waymark apply` share.
struct CodeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A folder of JSON files, or one file.", valueName: "path"))
    var path: String

    @Option(
        name: .long,
        help: ArgumentHelp("Who manages the links (managedBy). [default: the folder's name]", valueName: "name"))
    var owner: String?

    @Flag(name: .long, help: "Delete the owner's links, webhooks and applications that are not in the files.")
    var prune = false

    @Flag(name: .long, help: "Take over links, webhooks and applications that nobody manages.")
    var adopt = false

    @OptionGroup var client: ClientOptions

    /// Plans, and does `work` with the plan under the lock.
    ///
    /// - Parameter work: nil: the plan is only shown, which needs no lock.
    func perform(_ work: ((CodePlan, any API, CodeLock) async throws -> Void)?) async throws {
        if prune, owner == nil, CodeFile.type(of: path) != .typeDirectory {
            throw CommandFailure.usage(
                "--prune: one file does not have all links of its folder; name the folder, or whose links with --owner")
        }
        var files = try CodeFiles(at: path)
        let owner = owner ?? files.owner
        guard Self.isOwner(owner) else {
            throw CommandFailure.usage(
                "--owner: give 1 to \(LinkLabel.managedBy.limit) characters, no control characters")
        }
        let api = try await client.open(work == nil ? .fails : .isCreated)
        do {
            try await files.complete(on: api)
            let lock = work == nil ? nil : try await CodeLock(api, owner: owner)
            do {
                let apps = Set(files.links.compactMap(\.request.app)).union(files.appsByID.keys).sorted()
                let planner = CodePlanner(
                    api: api, owner: owner, adopts: adopt, prunes: prune,
                    versions: try await CodeVersions(of: owner, apps: apps, on: api))
                let plan = try await planner.plan(files)
                try plan.refusals.check { .failed($0) }
                if let work, let lock { try await work(plan, api, lock) }
                print(client.json ? plan.json.text(style: .pretty) : plan.text(isDone: work != nil))
                try await lock?.release()
            } catch {
                // The error says more than that the lock stays for some seconds.
                try? await lock?.release()
                throw error
            }
            await api.close()
        } catch {
            await api.close()
            throw error
        }
    }

    private static func isOwner(_ text: String) -> Bool {
        (1...LinkLabel.managedBy.limit).contains(text.unicodeScalars.count)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// `waymark plan PATH`: exits with 0 where it planned, 1 where the plan is refused, 2 where the files can't be used.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what waymark apply would do.",
        discussion: """
            Compares applications, links and webhooks in files with those of a server. Exit status: 0 if there is a plan, \
            also an empty one, 1 if it is refused, 2 if the files can't be used.
            """)

    @OptionGroup var code: CodeOptions

    mutating func run() async throws {
        try await code.perform(nil)
    }
}

/// `waymark apply PATH`: does what `waymark plan PATH` shows.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Make a server have what files say.",
        discussion: """
            Creates and changes applications, links and webhooks. Deletes nothing without --prune, and touches \
            nothing that another owner manages. An apply that was interrupted can be run again.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("A new file for the secrets of new webhooks, which only you can read.", valueName: "file"))
    var secrets: String?

    @OptionGroup var code: CodeOptions

    mutating func run() async throws {
        let path = secrets
        if let origin = try code.client.choice()?.announcement { StandardError.write(origin) }
        try await code.perform { plan, api, lock in
            var file: SecretsFile?
            if !plan.newWebhooks.isEmpty {
                guard let path else {
                    throw CommandFailure.failed(
                        "webhook \(plan.newWebhooks[0].url) is new: give --secrets a file for its secret")
                }
                file = try SecretsFile(path)
            }
            var done = CodeVersions()
            do {
                try await CodeApplier(api: api, lock: lock, secrets: file).apply(plan, done: &done)
                try await lock.keep(plan.versions)
            } catch {
                try? file?.finish()
                try? await lock.keep(done)
                throw error
            }
        }
    }
}
