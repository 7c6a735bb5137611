import Testing
import WaymarkImports
import WaymarkLinks

/// Passwords of other services' links: nobody must be led on without one.
@Suite struct PasswordImportTests {
    private let application = Shop.application()

    private func outcomes(
        _ text: String, _ service: ForeignService, into target: MemoryTarget, dryRun: Bool = false
    ) async throws -> [ImportOutcome] {
        let source = try await service.links(in: [file(text)])
        let results = try await LinkImport(into: target, Shop.preparation(application), isDryRun: dryRun).results(
            source)
        for result in results where result.outcome == .refused {
            #expect(result.reason.contains("password") && !result.reason.contains("sesame"), "\(result.reason)")
        }
        return results.map(\.outcome)
    }

    @Test(arguments: [
        (
            ForeignService.csv,
            "slug,urls.web,password\nx,https://a.example/,open sesame\ny,https://a.example/,\n"
                + "z,https://a.example/,true\nh,https://a.example/,$2a$12$sesame\n"
        ),
        (
            .shortio,
            "Original URL,Path,Password,Has Password\nhttps://a.example/,x,open sesame,true\nhttps://a.example/,y,,false\n"
                + "https://a.example/,z,,true\nhttps://a.example/,h,$2b$10$sesame,true\n"
        ),
    ])
    func `a password in the clear is taken over`(service: ForeignService, text: String) async throws {
        let target = try await MemoryTarget(application)
        let expected: [ImportOutcome] = [.created, .created, .refused, .refused]
        #expect(try await outcomes(text, service, into: target, dryRun: true) == expected)
        #expect(try await outcomes(text, service, into: target) == expected)
        #expect(try await target.find(Shop.host, Slug("x")!)?.content.password != nil)
        #expect(try await target.find(Shop.host, Slug("y")!)?.content.password == nil)
        #expect(try await target.find(Shop.host, Slug("z")!) == nil)
        #expect(try await outcomes(text, service, into: target) == [.same, .same, .refused, .refused])
    }

    @Test func `an export comes back where its links are alone`() async throws {
        let target = try await MemoryTarget(application)
        let line = #"{"domain": "go.example.com", "slug": "x", "urls": {"web": "https://a.example/"}"#
        let exported = line + #", "hasPassword": true}"# + "\n"
        #expect(try await outcomes(exported, .waymark, into: target) == [.refused])
        let told = line + #", "password": "open sesame"}"# + "\n"
        #expect(try await outcomes(told, .waymark, into: target) == [.created])
        for dryRun in [true, false] {
            #expect(try await outcomes(exported, .waymark, into: target, dryRun: dryRun) == [.same])
            #expect(try await outcomes(line + "}\n", .waymark, into: target, dryRun: dryRun) == [.clash])
        }
    }
}
