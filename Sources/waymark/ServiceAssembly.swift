import Foundation
import Logging
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// The store and the service on it, put together from a configuration; what serving and the command line share.
struct ServiceAssembly {
    let store: any LinkStore
    let service: LinkService

    /// Opens the store, reads what it holds and applies the applications file.
    init(_ configuration: Configuration, logger: Logger) async throws {
        let definitions = try ApplicationsFile.read(configuration.applicationsFile)
        let store = try configuration.database.open()
        var settings = ServiceConfiguration()
        settings.cacheBytes = configuration.cacheBytes
        settings.adminKey = configuration.adminKey
        settings.defaultBaseURL = configuration.listen.lazy.compactMap(\.port).first
            .flatMap { WebURL("http://localhost:\($0)") }
        let surroundings = ServiceSurroundings(
            now: { Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000)) },
            randomBytes: { SecureRandom.bytes(count: $0) },
            sha256: { SHA256.digest(of: $0) })
        let service = LinkService(
            store: store, configuration: settings, surroundings: surroundings,
            readApplication: { ApplicationDocument.application($0) }, logger: logger)
        self.store = store
        self.service = service
        do {
            do throws(StoreError) {
                try await service.load()
            } catch {
                throw CommandFailure(error)
            }
            try await Self.apply(definitions, from: configuration, to: service)
        } catch {
            await store.close()
            throw error
        }
    }

    /// Makes the applications of the file the read-only ones.
    static func apply(
        _ definitions: [ApplicationDefinition], from configuration: Configuration, to service: LinkService
    ) async throws {
        let outcome: ApplicationFileOutcome
        do throws(StoreError) {
            outcome = try await service.applications.apply(file: definitions)
        } catch {
            throw CommandFailure(error)
        }
        guard case .refused(let problems) = outcome else { return }
        let file = configuration.applicationsFile ?? "no applications file"
        throw CommandFailure.usage("\(file): \(problems.joined(separator: "; "))")
    }

    func close() async {
        await service.stop()
        await store.close()
    }
}
