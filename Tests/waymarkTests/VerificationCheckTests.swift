import Testing

@testable import waymark

@Suite struct VerificationCheckTests {
    private static let links = """
        waymark_verification_links{state="good"} 9
        waymark_verification_links{state="broken"} 0
        waymark_verification_links{state="unknown"} 1

        """
    private static let silence = """
        waymark_verification_association_files_total{source="apple",outcome="read"} 0
        waymark_verification_association_files_total{source="apple",outcome="unknown"} 4
        waymark_verification_association_files_total{source="google",outcome="read"} 2
        waymark_verification_association_files_total{source="google",outcome="unknown"} 1

        """

    @Test(
        arguments: [
            (nil, .skipped, "no server answers"), ("", .skipped, "no link was verified"),
            (links, .ok, "0 links broken, 9 good, 1 unknown"),
            (links + silence, .ok, "unknown; association files at Apple's CDN: unknown, no answer from here"),
            (links.replacing("broken\"} 0", with: "broken\"} 2"), .finding, "2 links broken, 9 good, 1 unknown"),
        ] as [(String?, DoctorFinding.State, String)])
    func `broken links are a finding`(metrics: String?, state: DoctorFinding.State, detail: String) {
        let finding = VerificationCheck.finding(metrics.map { MetricSamples($0) })
        #expect(finding.state == state)
        #expect(finding.detail.contains(detail), "\(finding.detail)")
    }
}
