internal import WaymarkJSON

/// Simulation from the text of a file on: which kind it is, whether a system reads it at all.
package enum AssociationSimulation {
    package enum Platform: String, Sendable, CaseIterable {
        case ios, android
    }

    package enum Outcome: Sendable, Equatable {
        case answer(SimulationAnswer)
        /// Nothing can be said; one sentence on one line, without its full stop.
        case unusable(String)
    }

    /// - Parameters:
    ///   - file: the bytes of the file, as served.
    ///   - app: only this app is installed: an app identifier, for Android a package; nil: all apps of the file are.
    ///   - platform: nil: by the file, of which Apple's is an object and Android's an array.
    package static func simulate(
        file: [UInt8], url text: String, app: String? = nil, platform: Platform? = nil
    ) -> Outcome {
        guard let url = AssociationURL(text) else { return .unusable("\(quoted(text)) is not an absolute URL") }
        let reading = AssociationText(file)
        guard let document = reading.document else {
            return .unusable(reading.faults.first.map { "not JSON: \($0.sentence)" } ?? "not JSON")
        }
        let root = document.root
        guard root.object != nil || root.array != nil else { return .unusable("the file is \(root.noun)") }
        let platform = platform ?? (root.array == nil ? .ios : .android)
        var answer: SimulationAnswer
        switch platform {
        case .ios:
            guard file.count <= AppleAppSiteAssociation.sizeLimit else {
                answer = SimulationAnswer()
                answer.warnings = [
                    "The file has \(file.count) bytes; Apple's systems take \(AppleAppSiteAssociation.sizeLimit)."
                ]
                return .answer(answer)
            }
            guard root.object != nil else {
                return .unusable("the file is an array, which is Android's assetlinks.json; Apple's is an object")
            }
            answer = AppleSimulation(AppleDocument(root), url: url, app: app).answer()
        case .android:
            guard root.array != nil else {
                return .unusable("the file is an object, which is Apple's; Android's assetlinks.json is an array")
            }
            answer = AndroidSimulation(AndroidDocument(root), url: url, app: app).answer()
        }
        if document.hasRepeatedMembers {
            answer.documented = false
            answer.warnings.insert("Not documented: \(Doubt.repeatedMember.sentence).", at: 0)
        }
        if reading.hasByteOrderMark {
            answer.warnings.append("The file begins with a byte order mark, which JSON has no place for (RFC 8259).")
        }
        if answer.opens { answer.warnings += NavigationContext.warnings(platform) }
        return .answer(answer)
    }
}
