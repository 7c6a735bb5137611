import ArgumentParser

/// Measurements that need the service's own parts: what requests cost, and how many links a database takes.
@main
struct WaymarkBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-bench", abstract: "Measure requests, and databases with many links.",
        subcommands: [
            Benchmark.self, BodiesBenchmark.self, LinksBenchmark.self, ClicksBenchmark.self,
            StatisticsBenchmark.self, SharedLines.self,
        ],
        defaultSubcommand: Benchmark.self)
}
