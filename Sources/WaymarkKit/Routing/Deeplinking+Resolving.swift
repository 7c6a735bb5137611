import WaymarkAPI

extension Deeplinking {
    /// What the service is asked about a link, and what becomes of the answer.
    struct Question: Sendable {
        let subject: ResolveRequest.Subject
        let url: DeepLinkURL
        let origin: Origin
        /// The link that waits for metadata only; nil for a smart link.
        let link: Deeplink?
        /// What an earlier tap has left with its answer; an answer that comes takes its place.
        var earlier: KeptLink?

        init(smartlink url: DeepLinkURL, _ origin: Origin) {
            self.init(.smartlink(url.text), url, origin, nil)
        }

        init(metadataOf link: Deeplink, clickID: String) {
            self.init(.clickID(clickID), link.openedURL ?? "", Origin(kept: link.kept), link)
        }

        private init(
            _ subject: ResolveRequest.Subject, _ url: DeepLinkURL, _ origin: Origin, _ link: Deeplink?
        ) {
            (self.subject, self.url, self.origin, self.link) = (subject, url, origin, link)
        }
    }

    /// What happens to a smart link that can't be resolved.
    struct Fallback {
        var opensDefaultRoute = true
    }

    typealias Answer = Result<ResolveResponse, any Error>

    /// Asks the service for metadata, and opens the link with or without it.
    func fetchMetadataAndOpen(_ opening: Opening, _ clickID: String, _ turn: Int) async -> SmartlinkOpening {
        let link = opening.deeplink
        link.kept = link.kept ?? keeper?.begin()
        var question = Question(metadataOf: link, clickID: clickID)
        question.earlier = keeper?.answeredLink(question.url.text)
        let request = request(question)
        let (answer, hasSlept) = await withinLimit(request)
        report(answer, question)
        let deeplink =
            switch answer {
            case .success(let answer): self.opening(of: answer, to: question).deeplink
            case .failure(let error): link.with(nil, error: error)
            case nil: link.with(nil, error: WaymarkClientError.timedOut)
            }
        guard turns.end(turn) else {
            report(.superseded, deeplink)
            return .notOpened(deeplink)
        }
        if answer?.isSuccess != true, let earlier = openingWithEarlierAnswer(to: question) {
            return await result(of: earlier, hasSlept: hasSlept)
        }
        if hasSlept, opening.target != nil {
            makeCurrent(deeplink)
            keep(deeplink, deeplink.error)
            takeLater(request, question, failed: deeplink)
            return .notOpened(deeplink)
        }
        let progress = perform(Opening(deeplink: deeplink, target: opening.target))
        // Filters and the target may wait for longer than the answer.
        if answer == nil { takeLater(request, question, failed: deeplink) }
        return await progress.outcome ? .opened(deeplink) : .notOpened(deeplink)
    }

    func resolveAndOpen(
        _ url: DeepLinkURL, _ origin: Origin, _ turn: Int, _ fallback: Fallback
    ) async -> SmartlinkOpening {
        var origin = origin
        origin.kept = origin.kept ?? keeper?.begin()
        var question = Question(smartlink: url, origin)
        question.earlier = keeper?.answeredLink(url.text)
        let request = request(question)
        let (answer, hasSlept) = await withinLimit(request)
        report(answer, question)
        guard case .success(let response) = answer else {
            let error = answer?.failure ?? WaymarkClientError.timedOut
            return await fail(question, error, turn, fallback, hasSlept: hasSlept) { failed in
                if answer == nil { takeLater(request, question, failed: failed) }
            }
        }
        let opening = opening(of: response, to: question)
        guard turns.end(turn) else {
            report(.superseded, opening.deeplink)
            return .notOpened(opening.deeplink)
        }
        return await result(of: opening)
    }

    private func fail(
        _ question: Question, _ error: any Error, _ turn: Int, _ fallback: Fallback, hasSlept: Bool,
        then: (Deeplink) -> Void
    ) async -> SmartlinkOpening {
        guard turns.end(turn) else {
            report(.superseded, host: question.url)
            return .failed(error)
        }
        if (error as? WaymarkClientError)?.isTransient == true,
            let earlier = openingWithEarlierAnswer(to: question)
        {
            return await result(of: earlier, hasSlept: hasSlept)
        }
        if let page = pageOfApp(question, error) {
            report(.unknownAsRoute, host: question.url, route: page.deeplink.route)
            return await result(of: page)
        }
        let failed = unresolved(question, error)
        makeCurrent(failed)
        keepUnresolved(failed, error)
        then(failed)
        if fallback.opensDefaultRoute, !hasSlept, let defaultTarget {
            _ = await perform(Opening(deeplink: failed, target: defaultTarget)).outcome
        }
        return .failed(error)
    }

    /// Opens a link, or makes it the current one only, if the person has gone on.
    private func result(of opening: Opening, hasSlept: Bool) async -> SmartlinkOpening {
        guard hasSlept, opening.target != nil else { return await result(of: opening) }
        makeCurrent(opening.deeplink)
        keep(opening.deeplink, nil)
        return .notOpened(opening.deeplink)
    }

    /// A page of the app's own domain that is no smart link: the route with its path and query, if one is
    /// mapped.
    func pageOfApp(_ question: Question, _ error: any Error) -> Opening? {
        guard question.origin.mayBeRoute, (error as? WaymarkClientError)?.problem?.known == .linkUnknown,
            hosts.contains(hostOf: question.url)
        else { return nil }
        let url = question.url.asAppLink(scheme: scheme)
        let (plain, _) = url.separatingServiceParameters()
        guard let match = routes.match(plain) else { return nil }
        let deeplink = Deeplink(
            route: match.format.text, routeParameters: match.parameters,
            queryParameters: dialect.queryParameters(of: plain), metadata: nil, openedURL: url,
            sourceApplication: question.origin.sourceApplication, sceneID: question.origin.sceneID)
        return Opening(deeplink: deeplink, target: match.target)
    }

    /// A smart link without its destination: URL, query and error, whatever the path.
    private func unresolved(_ question: Question, _ error: any Error) -> Deeplink {
        let (plain, _) = question.url.separatingServiceParameters()
        let origin = question.origin
        return Deeplink(
            route: nil, routeParameters: [:], queryParameters: dialect.queryParameters(of: plain),
            metadata: nil,
            isDeferred: origin.isDeferred, openedURL: question.url,
            sourceApplication: origin.sourceApplication,
            error: error, sceneID: origin.sceneID, kept: origin.kept, wasRecorded: origin.isRecorded,
            isUnresolved: true, mayBeRoute: origin.mayBeRoute
        )
    }

    private func keepUnresolved(_ failed: Deeplink, _ error: any Error) {
        if !failed.isRefused {
            keep(failed, error)
        } else if let keeper, let url = failed.openedURL {
            keeper.dropUnanswered(url.text)
        }
    }

    private func opening(of answer: ResolveResponse, to question: Question) -> Opening {
        guard let link = question.link else {
            var origin = question.origin
            origin.smartlink = question.url.text
            return opening(of: answer, origin)
        }
        let metadata = answer.metadata.map(DeeplinkMetadata.init(json:))
        return Opening(
            deeplink: metadata == nil && answer.update == nil
                ? link : link.with(metadata, update: answer.update),
            target: link.route.flatMap(routes.target(of:)) ?? defaultTarget)
    }

    // MARK: Asking

    /// A request that goes on when the time limit has passed.
    private func request(_ question: Question) -> Task<Answer, Never> {
        report(.resolving, host: question.url)
        return Task.detached(priority: Task.currentPriority) { [client, resolver] in
            do {
                if let client, let kept = question.origin.kept {
                    return .success(
                        try await client.resolve(question.subject, of: question.url.text, as: kept))
                }
                guard let resolver else { throw DeeplinkingError.noService }
                return .success(try await resolver.resolve(question.subject))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The outcome of a task; nil at `openingTimeLimit`. The task goes on then, unless the caller is
    /// cancelled.
    ///
    /// - Returns: also whether the process slept, and the limit ended more than a second ago. The person has
    ///   gone on: nothing may open.
    func withinLimit<Outcome: Sendable>(
        _ task: Task<Outcome, Never>
    ) async -> (outcome: Outcome?, hasSlept: Bool) {
        let (limit, sleep, now, start) = (openingTimeLimit, sleep, now, now())
        let outcome: Outcome? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let race = OpeningRace<Outcome>(continuation)
                let deadline = Task.detached {
                    guard (try? await sleep(limit)) != nil else { return }
                    race.end(nil)
                }
                Task.detached {
                    let outcome = await task.value
                    // A process that slept may see the answer before the deadline.
                    race.end(now() - start < limit ? outcome : nil)
                    deadline.cancel()
                }
            }
        } onCancel: {
            task.cancel()
        }
        return (outcome, outcome == nil && now() - start > limit + .seconds(1))
    }

    private func report(_ answer: Answer?, _ question: Question) {
        switch answer {
        case .success: report(.resolved, host: question.url)
        case .failure(let error): report(.resolveFailed, host: question.url, error: error)
        case nil: report(.late, host: question.url)
        }
    }

    // MARK: Later

    private func takeLater(
        _ request: Task<Answer, Never>, _ question: Question, failed: Deeplink
    ) {
        late = Task { [weak self] in
            let answer = await request.value
            self?.take(answer, question, failed: failed)
        }
    }

    /// Adds the answer to the link that has failed, unless another one was opened since. Nothing opens:
    /// `openCurrentDeeplink()` does.
    private func take(_ answer: Answer, _ question: Question, failed: Deeplink) {
        late = nil
        guard currentDeeplink === failed else { return }
        report(answer, question)
        switch answer {
        case .success(let response):
            let metadata = response.metadata.map(DeeplinkMetadata.init(json:))
            let deeplink =
                question.link == nil
                ? opening(of: response, to: question).deeplink
                : failed.with(metadata, update: response.update)
            currentDeeplink = deeplink
            if deeplink.kept != nil { report(.kept, deeplink) }
        case .failure(let error):
            if let page = pageOfApp(question, error) {
                report(.unknownAsRoute, host: question.url, route: page.deeplink.route)
                currentDeeplink = page.deeplink
                return
            }
            let failed = failed.with(nil, error: error)
            currentDeeplink = failed
            if question.link == nil { keepUnresolved(failed, error) }
        }
    }

    /// Asks again for the current link if it failed because the service could not be reached. The answer is
    /// kept, and opens with `openCurrentDeeplink()` only. On Apple's systems the router calls this itself
    /// when the network is back; call it where the app learns it otherwise.
    public func networkIsBack() async {
        if let late { return await late.value }
        guard let failed = currentDeeplink, (failed.error as? WaymarkClientError)?.isTransient == true,
            !turns.isWaiting, let question = question(about: failed)
        else { return }
        take(await request(question).value, question, failed: failed)
    }

    /// Whether the answer to a link that has failed by then may still come. For the shared cases.
    package var isWaitingForLateAnswer: Bool { late != nil }

    /// Returns when that answer was taken.
    package func lateAnswer() async { await late?.value }

    /// What to ask about a link without its destination, or without the metadata that it announces.
    func question(about link: Deeplink) -> Question? {
        guard let url = link.openedURL else { return nil }
        if link.isUnresolved { return Question(smartlink: url, Origin(link)) }
        guard link.needsMetadata, link.error != nil, resolver != nil, let clickID = link.clickID else {
            return nil
        }
        return Question(metadataOf: link, clickID: clickID)
    }

    // MARK: Deferred deep links

    /// Opens the link that a claim returns. A late answer is kept.
    func openDeferred(
        _ claim: @escaping @Sendable () async throws(WaymarkClientError) -> DeferredDeeplink?
    ) async -> SmartlinkOpening? {
        report(.resolving)
        let request = Task.detached { () -> Result<DeferredDeeplink?, WaymarkClientError> in
            do throws(WaymarkClientError) {
                return .success(try await claim())
            } catch {
                return .failure(error)
            }
        }
        guard let answer = await withinLimit(request).outcome else {
            report(.late)
            late = Task { [weak self] in
                let answer = await request.value
                self?.late = nil
                if let deferred = self?.deferred(in: answer) {
                    self?.report(.kept, route: deferred.answer.route)
                }
            }
            return .failed(WaymarkClientError.timedOut)
        }
        guard let deferred = deferred(in: answer) else { return answer.failure.map { .failed($0) } }
        let opening = opening(of: deferred)
        guard !hasLink else {
            report(.superseded, opening.deeplink)
            return .notOpened(opening.deeplink)
        }
        return await result(of: opening)
    }

    private func deferred(in answer: Result<DeferredDeeplink?, WaymarkClientError>) -> DeferredDeeplink? {
        switch answer {
        case .success(let deferred):
            report(.resolved)
            return deferred
        case .failure(let error):
            report(.resolveFailed, error: error)
            return nil
        }
    }
}

extension Deeplinking.Origin {
    /// The details of a link that is opened again.
    init(_ deeplink: Deeplink) {
        self.init(
            sourceApplication: deeplink.sourceApplication, sceneID: deeplink.sceneID,
            isDeferred: deeplink.isDeferred,
            isRecorded: deeplink.wasRecorded, kept: deeplink.kept, mayBeRoute: deeplink.mayBeRoute)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { failure == nil }

    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
