/// What the verification of links has found at the server that runs here.
enum VerificationCheck {
    /// - Parameter metrics: nil if no server answers.
    static func finding(_ metrics: MetricSamples?) -> DoctorFinding {
        guard let metrics else { return .skipped(.verification, "no server answers here; it would say what it found") }
        func links(_ state: String) -> Double { metrics.sum("waymark_verification_links", ("state", state)) ?? 0 }
        let (good, broken, unknown) = (links("good"), links("broken"), links("unknown"))
        guard good + broken + unknown > 0 else {
            return .skipped(.verification, "no link was verified here yet, or another server of the database verifies")
        }
        let states =
            ServerStatus.counted(broken, "link") + " broken, \(ServerStatus.number(good)) good, "
            + "\(ServerStatus.number(unknown)) unknown" + silence(of: metrics)
        guard broken > 0 else { return .ok(.verification, states) }
        return .finding(
            .verification, states,
            fix: "the dashboard and GET /api/v1/links?verified=broken list them with their faults")
    }

    /// Which services have not answered yet what they have of association files.
    private static func silence(of metrics: MetricSamples) -> String {
        let looks = metrics["waymark_verification_association_files_total"]
        let silent = [("apple", "Apple's CDN"), ("google", "Google's API")].filter { source, _ in
            func count(_ outcome: String) -> Double {
                looks.filter { $0.labels["source"] == source && $0.labels["outcome"] == outcome }
                    .reduce(0) { $0 + $1.value }
            }
            return count("unknown") > 0 && count("read") == 0
        }
        guard !silent.isEmpty else { return "" }
        return "; association files at \(silent.map(\.1).joined(separator: " and ")): unknown, no answer from here"
    }
}
