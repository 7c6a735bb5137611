import Synchronization
import WaymarkMetrics
import WaymarkService
import WaymarkStores

extension Metrics {
    /// The verification of links.
    static let verification: [MetricFamily<Moment>] = [
        .counter("waymark_verification_walks_total", "Walks of links by the verification.") {
            figures($0).walks.load(ordering: .relaxed)
        },
        .counter("waymark_verification_requests_total", "Requests of the verification to destinations.") {
            figures($0).requests.load(ordering: .relaxed)
        },
        .gauges(
            "waymark_verification_links", by: "state",
            "Verified links; broken: with a confirmed fault. 0 at servers that do not verify."
        ) { moment in
            let counts = figures(moment).counts.withLock(\.links)
            return VerificationState.allCases.map { ($0.name, counts[$0] ?? 0) }
        },
        .gauges(
            "waymark_verification_findings", by: "code",
            "Links with a finding of this kind at their last walk. 0 at servers that do not verify."
        ) { moment in
            let counts = figures(moment).counts.withLock(\.findings)
            return VerificationFinding.Code.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
        },
        MetricFamily(
            "waymark_verification_association_files_total", .counter,
            "Looks of the verification at association files, at their hosts, Apple's CDN and Google's API; unknown: no answer."
        ) { moment in
            let counts = figures(moment).copies.withLock(\.self)
            return AssociationCopy.Source.allCases.flatMap { source in
                [true, false].map { isKnown in
                    MetricSample(
                        counts[.init(source: source, isKnown: isKnown)] ?? 0,
                        [
                            MetricLabel("source", source.rawValue),
                            MetricLabel("outcome", isKnown ? "read" : "unknown"),
                        ])
                }
            }
        },
        .gauge("waymark_verification_lag_seconds", "How long the next round of the verification has been due.") {
            figures($0).lag.load(ordering: .relaxed)
        },
    ]

    private static func figures(_ moment: Moment) -> VerificationMetrics { moment.site.background.verifier.metrics }
}
