import Foundation
import WaymarkAPI
import WaymarkJSON

extension WaymarkClient {
    /// Compares the app with the service, for debug builds: address, key, clock, application, domains, URL
    /// scheme and routes. Prints one line for each check, in the form of `waymark doctor`.
    ///
    ///     #if DEBUG
    ///         await client.check(deeplinking)
    ///     #endif
    ///
    /// It resolves a link that does not exist, without a redeem, and reads the application if the key may. It
    /// changes nothing, and prints no key.
    ///
    /// - Parameters:
    ///   - deeplinking: the app's router, with its routes mapped.
    ///   - output: receives the lines. Default: `print`.
    /// - Returns: all results, in the order of `LinkFinding.Check`.
    @MainActor
    @discardableResult
    public func check(
        _ deeplinking: Deeplinking, output: (String) -> Void = { print($0) }
    ) async -> [LinkFinding] {
        var findings = await serviceFindings()
        findings += applicationFindings(await application(), deeplinking)
        let isEmpty = deeplinking.mappedRoutes.isEmpty && deeplinking.defaultTarget == nil
        findings.append(
            isEmpty
                ? .finding(.routes, "no route is mapped", fix: "map routes before links are opened")
                : .ok(.routes, "\(deeplinking.mappedRoutes.count) are mapped"))
        output(address.host)
        for finding in findings { output(finding.description) }
        return findings
    }

    // MARK: Service, key and clock

    private func serviceFindings() async -> [LinkFinding] {
        let domain = domains.min() ?? address.host
        let body = ResolveRequest(
            .smartlink("https://\(domain)/waymark-check"), platform: options.platform.rawValue, redeem: false)
        do throws(WaymarkClientError) {
            let answer = try await sender.once.exchange(Endpoint.resolve, body.json)
            let service = service(answer)
            return [
                service,
                service.state == .ok ? key(answer) : .skipped(.key, "the service did not answer as Waymark"),
                clock(answer),
            ]
        } catch {
            return [
                .finding(
                    .service, "\(error)", fix: "check the address and the network; open it in a browser"),
                .skipped(.key, "the service did not answer"), .skipped(.clock, "the service did not answer"),
            ]
        }
    }

    private func service(_ answer: TransportResponse) -> LinkFinding {
        if (200..<300).contains(answer.status), ResolveResponse(json: answer.body) != nil {
            return .ok(.service, "\(address.base) resolves links")
        }
        let error = sender.read(answer)
        switch error.problem?.known {
        case .linkUnknown, .linkExpired, .linkExhausted, .linkDisabled:
            return .ok(.service, "\(address.base) resolves links")
        default: break
        }
        if error.problem != nil, [401, 403].contains(answer.status) {
            return .ok(.service, "\(address.base) answers as Waymark")
        }
        return .finding(
            .service, "\(error)", fix: "check that the address is Waymark's, without a path of a page")
    }

    private func key(_ answer: TransportResponse) -> LinkFinding {
        switch answer.status {
        case 401:
            .finding(
                .key, "it is unknown or has ended", fix: "create one with waymark keys create --scope resolve"
            )
        case 403:
            .finding(
                .key, "it lacks the scope resolve", fix: "create one with waymark keys create --scope resolve"
            )
        default: .ok(.key, "it may resolve links")
        }
    }

    private func clock(_ answer: TransportResponse) -> LinkFinding {
        guard let date = answer.field("Date").flatMap(RetryAfter.date) else {
            return .skipped(.clock, "the service sent no date")
        }
        let ahead = (sender.clock.now.timeIntervalSince1970 - date).rounded()
        guard abs(ahead) > 300 else { return .ok(.clock, "within 5 minutes of the service's") }
        return .finding(
            .clock, "this device is \(Int(abs(ahead))) s \(ahead > 0 ? "ahead of" : "behind") the service",
            fix: "set the date and time automatically, in the device's settings or on the server")
    }

    // MARK: Application

    private func application() async -> Result<JSONValue, LinkFinding.Refusal> {
        guard let app = options.app else {
            return .failure(.init(.skipped(.app, "ClientOptions.app is not set")))
        }
        do throws(WaymarkClientError) {
            let answer = try await sender.once.get(Endpoint.application(app))
            if (200..<300).contains(answer.status), let json = try? JSONValue(parsing: answer.body) {
                return .success(json)
            }
            let error = sender.read(answer)
            if answer.status == 404, error.problem?.known == .applicationUnknown {
                return .failure(
                    .init(
                        .finding(
                            .app, "the service has no application \(app), or not for this key",
                            fix: "give ClientOptions.app the id of waymark apps list")))
            }
            return .failure(
                .init(.skipped(.app, "the key may not read the application (status \(answer.status))")))
        } catch {
            return .failure(.init(.skipped(.app, "the service did not answer")))
        }
    }

    @MainActor
    private func applicationFindings(
        _ application: Result<JSONValue, LinkFinding.Refusal>, _ deeplinking: Deeplinking
    ) -> [LinkFinding] {
        switch application {
        case .failure(let refusal):
            return [
                refusal.finding, .skipped(.domains, "the application is not known"),
                scheme(nil, deeplinking) ?? .skipped(.scheme, "the application is not known"),
            ]
        case .success(let json):
            let name = json["name"]?.string ?? options.app ?? ""
            return [
                .ok(.app, "it is \(name)"), domains(json, deeplinking),
                scheme(json, deeplinking)
                    ?? .skipped(.scheme, "the service named none for \(options.platform.rawValue)"),
            ]
        }
    }

    @MainActor
    private func domains(_ json: JSONValue, _ deeplinking: Deeplinking) -> LinkFinding {
        let theirs = Set((json["domains"]?.array ?? []).compactMap { $0.string?.lowercased() })
        let ours = deeplinking.domains
        guard !theirs.isEmpty else { return .ok(.domains, "the application serves all hosts") }
        let openHost = json["openHost"]?.string?.lowercased()
        let missing = theirs.subtracting(ours).sorted()
        let unknown = ours.subtracting(theirs).filter { $0 != openHost }.sorted()
        if !missing.isEmpty {
            return .finding(
                .domains, "the router lacks \(missing.joined(separator: ", "))",
                fix: "add it to ClientOptions.domains")
        }
        if !unknown.isEmpty {
            return .finding(
                .domains, "the application has not \(unknown.joined(separator: ", "))",
                fix: "add it there, or remove it here unless it is the application's openHost")
        }
        return .ok(.domains, ours.sorted().joined(separator: ", "))
    }

    /// Nil if there is nothing to compare.
    @MainActor
    private func scheme(_ json: JSONValue?, _ deeplinking: Deeplinking) -> LinkFinding? {
        let ours = deeplinking.urlSchemes.map { $0.lowercased() }
        if let registered = Self.registeredSchemes,
            let missing = ours.first(where: { !registered.contains($0) })
        {
            return .finding(
                .scheme, "Info.plist does not register \(missing)",
                fix: "add it under URL Types of the target")
        }
        let member = options.platform == .android ? "android" : "ios"
        // Keys with the scope `admin` read the whole document.
        let scheme = json?["urlSchemes"]?[member] ?? json?[member]?["urlScheme"]
        guard let theirs = scheme?.string?.lowercased() else { return nil }
        guard ours.contains(theirs) else {
            return .finding(
                .scheme, "the router lacks the application's scheme \(theirs)",
                fix: "add it to Deeplinking(urlSchemes:)")
        }
        return .ok(.scheme, theirs)
    }

    /// The URL schemes in the app's Info.plist; nil where programs have none.
    private static var registeredSchemes: Set<String>? {
        guard let types = Bundle.main.object(forInfoDictionaryKey: "CFBundleURLTypes") as? [[String: Any]]
        else {
            return nil
        }
        return Set(types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }.map { $0.lowercased() })
    }
}

extension LinkFinding {
    /// Why the application is not known.
    fileprivate struct Refusal: Error {
        let finding: LinkFinding

        init(_ finding: LinkFinding) { self.finding = finding }
    }
}
