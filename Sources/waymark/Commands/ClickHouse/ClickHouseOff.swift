import ArgumentParser
import WaymarkService
import WaymarkStores

/// `waymark clickhouse off`
struct ClickHouseOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Forget what waits for ClickHouse, for good, and note nothing any more.",
        discussion: """
            Without clickhouse in the configuration of any server clicks still wait, so that a mistake there loses nothing. Remove it \
            from all servers first: a server that has it switches shipping on when it starts. With SQLite stop the server meanwhile.
            """)

    @OptionGroup var options: StoreOptions

    mutating func run() async throws {
        let configuration = try options.configuration()
        guard configuration.clickhouse == nil else {
            throw CommandFailure.usage(
                "\(configuration.sourceName(of: \.clickhouse)) is set, and the next start would switch shipping on again; remove it first"
            )
        }
        guard !configuration.database.isMissing else {
            throw CommandFailure.failed("\(configuration.database.text) does not exist")
        }
        let store = try configuration.database.open(metadataKeys: MetadataKeyRing()) { change in
            if let sentence = change.sentence { StandardError.write(sentence) }
        }
        do throws(StoreError) {
            try await store.clickShipments.setShipsClicks(false)
        } catch {
            await store.close()
            throw CommandFailure(error)
        }
        await store.close()
        print("no clicks wait for ClickHouse any more; what is there stays")
    }
}
