import ArgumentParser
import Testing
import WaymarkJSON

@testable import waymark

/// Each row of `Settings`, from each source that may give it.
@Suite struct ConfigurationTests {
    private static let withText = SettingSample.all.filter { !$0.text.isEmpty }
    private static let withFlag = withText.filter { $0.name != "metadataKeys" }

    @Test func everyKeyOfTheFileHasASample() {
        let keys = Settings.all.filter { $0.sources.contains(.file) }.map(\.name)
        #expect(SettingSample.all.map(\.name) == keys)
        let withVariable = Settings.all.filter { $0.sources.isSuperset(of: [.file, .variable]) }.map(\.name)
        #expect(Self.withText.map(\.name) == withVariable)
    }

    @Test(arguments: SettingSample.all)
    func theFileReplacesTheDefault(sample: SettingSample) throws {
        var members = sample.others
        let standard = try Configuration.reading(members)
        members[sample.name] = sample.value
        let configuration = try Configuration.reading(members)
        #expect(configuration.document[sample.name] == sample.shown)
        #expect(standard.document[sample.name] != sample.shown)

        let needsRestart = try sample.setting.reload == .needsRestart
        // Each reading has a file of its own.
        let waiting = standard.needingRestart(comparedTo: configuration).filter { $0 != "config" }
        #expect(waiting == (needsRestart ? [sample.name] : []))
    }

    @Test(arguments: withText)
    func theEnvironmentBeatsTheFile(sample: SettingSample) throws {
        var members = sample.others
        members[sample.name] = sample.value
        let variable = try #require(try sample.setting.variable)
        let configuration = try Configuration.reading(members, environment: [variable: sample.text])
        #expect(configuration.document[sample.name] == sample.shownText)
    }

    @Test(arguments: withFlag)
    func aFlagBeatsTheEnvironment(sample: SettingSample) throws {
        let setting = try sample.setting
        let (flag, variable) = (try #require(setting.flag), try #require(setting.variable))
        let text = sample.value.array?.first?.string ?? sample.value.string ?? sample.value.text()
        let configuration = try Configuration.reading(
            sample.others, environment: [variable: text], arguments: [flag, sample.text])
        #expect(configuration.document[sample.name] == sample.shownText)
    }

    @Test(arguments: SettingSample.all)
    func nullIsTheDefault(sample: SettingSample) throws {
        let configuration = try Configuration.reading([sample.name: .null])
        #expect(configuration.document == (try Configuration.reading([:])).document)
    }

    @Test(arguments: SettingSample.all)
    func aWrongValueOfTheFileIsNamed(sample: SettingSample) throws {
        for value in sample.wrong {
            let failure = try failure { try Configuration.reading([sample.name: value]) }
            #expect(failure.message.hasPrefix(sample.name), "\(failure)")
            #expect(failure.message.contains(".json: "), "\(failure)")
            let isHelpful = ["; give ", "; allowed: ", ": needs "].contains { failure.message.contains($0) }
            #expect(isHelpful, "\(failure)")
        }
    }

    @Test(arguments: withText)
    func aWrongTextIsNamedAlsoWhereAnotherSourceWins(sample: SettingSample) throws {
        let setting = try sample.setting
        let variable = try #require(setting.variable)
        let arguments = setting.flag.map { [$0, sample.text] } ?? []
        let inVariable = try failure {
            try Configuration.reading(sample.others, environment: [variable: "n/a"], arguments: arguments)
        }
        #expect(inVariable.message.hasPrefix(variable), "\(inVariable)")
        guard let flag = setting.flag else { return }
        let inFlag = try failure { try Configuration.reading(sample.others, arguments: [flag, "n/a"]) }
        #expect(inFlag.message.hasPrefix("\(flag): \"n/a\" is not allowed; give "), "\(inFlag)")
    }

    @Test func flagsAndVariablesFollowFromTheKey() throws {
        let setting = try #require(Settings.all.first { $0.name == "tlsListen" })
        #expect(setting.flag == "--tls-listen")
        #expect(setting.variable == "WAYMARK_TLS_LISTEN")
    }

    @Test func helpNamesEverySettingWithAFlag() {
        let help = ServeOptions.helpMessage(columns: 10_000)
        for setting in Settings.all {
            guard let flag = setting.flag, let variable = setting.variable else { continue }
            #expect(help.contains("\(flag) <\(setting.placeholder)>"), "\(help)")
            #expect(help.contains("\(setting.summary)") && help.contains("; \(variable)"), "\(help)")
        }
    }

    private func failure(_ read: () throws -> Configuration) throws -> CommandFailure {
        let failure = #expect(throws: CommandFailure.self) { try read() }
        #expect(failure?.status == 2)
        return try #require(failure)
    }
}
