package waymark.client.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import waymark.client.Cancellable;
import waymark.client.LinkDiagnostic;
import waymark.client.OnFailure;
import waymark.client.OnResult;
import waymark.client.ResolvedLink;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkException;
import waymark.client.android.MainThreadExecutor;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;
import waymark.client.internal.SystemClockAndRandomness;
import waymark.client.storage.MemoryStorage;
import waymark.client.url.DeepLinkUrl;

/** The links that a router is opening: which one is the current, which one waits, and what happens when an answer comes. */
final class LinkOpenings {
    static final OnResult<OpenResult> IGNORE = result -> {};
    /** A process that comes so much later than its timer has slept, in milliseconds. */
    private static final long SLEEP = 1_000;

    /** How a link came, which decides what happens if it can't be resolved. */
    enum Origin {
        /** The app was opened with it: the default route opens. */
        OPENED,
        /** The app opens a smart link itself: nothing opens. */
        SMARTLINK,
        /** It is opened again: nothing opens a second time. */
        AGAIN,
        /** It is resolved again by itself: nothing opens, whatever the answer. */
        QUIET
    }

    /** A link that waits for the service. */
    private final class Waiting {
        final int turn;
        final DeeplinkBuilder source;
        final Origin origin;
        final OnResult<OpenResult> onResult;
        final long since = service == null ? 0 : service.elapsed();
        /** What an earlier tap has left; null if nothing. The answer that comes takes its place. */
        final KeptLink earlier;
        /** Whether its time has passed, so that its answer opens nothing. */
        boolean isLate;
        private boolean isDone;
        private Cancellable timer;

        Waiting(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
            this.source = source;
            this.origin = origin;
            this.onResult = onResult;
            isLate = origin == Origin.QUIET;
            earlier = isLate ? null : links.earlier(source.kept);
            // No other link was opened: what still runs for this one goes on.
            turn = isLate ? lastTurn : next();
            if (isLate) return;
            waitingLink = source.kept;
            waitingTurn = turn;
        }

        boolean isLast() {
            return turn == lastTurn;
        }

        /** Whether the process slept: the person is elsewhere by now, so that nothing may open. */
        boolean hasSlept() {
            return service != null && service.elapsed() - since > openingTimeLimit + SLEEP;
        }

        /** The request goes on, and its answer is kept. */
        void setLate() {
            isLate = true;
            if (waitingTurn == turn) waitingTurn = -1;
        }

        void limit(Runnable late) {
            if (!isLate) timer = service.schedule(openingTimeLimit, () -> {
                if (isLast() && !isDone && !isLate) late.run();
            });
        }

        /** Where calls do not block, the response may be there already. */
        void request(Cancellable call) {
            if (!isDone && isLast()) waiting = call;
        }

        /** The response is there. The time counts, too: a process that sleeps runs no timer. */
        void end(Runnable late) {
            if (timer != null) timer.cancel();
            if (isLast() && !isLate && service != null && service.elapsed() - since > openingTimeLimit) late.run();
            isDone = true;
            if (waitingTurn == turn) waitingTurn = -1;
            if (isLast()) waiting = null;
        }
    }

    final LinkRouting routing;
    final KeptLinks links;
    /** Copied on change: a link that is being opened uses those that were there when it arrived. */
    final List<DeeplinkRegistration> filters = new CopyOnWriteArrayList<>();
    final List<DeeplinkRegistration> handlers = new CopyOnWriteArrayList<>();
    OnResult<LinkDiagnostic> onDiagnostic = diagnostic -> {};
    /** In milliseconds. */
    long openingTimeLimit = 5_000;
    private final SmartlinkService service;
    private Deeplink currentDeeplink;
    /** The number of the most recent link. A response for an earlier one is ignored. */
    private int lastTurn;
    /** The number of the link that waits for the service. */
    private int waitingTurn = -1;
    private KeptLink waitingLink;
    /** The request of that link. */
    private Cancellable waiting;

    /** @param service null for routes only */
    LinkOpenings(SmartlinkService service, LinkRouting routing) {
        this.service = service;
        this.routing = routing;
        links = service == null
                ? new KeptLinks(new MemoryStorage(), new SystemClockAndRandomness()) : service.getKeptLinks();
    }

    Deeplink current() {
        return currentDeeplink;
    }

    /** Whether a link was opened or waits for the service. */
    boolean hasLink() {
        return currentDeeplink != null || waitingTurn == lastTurn;
    }

    /** The link that waits for the service; null if none does. */
    KeptLink waitingLink() {
        return waitingTurn == lastTurn ? waitingLink : null;
    }

    void report(String step, String host, String route, WaymarkException error) {
        onDiagnostic.onResult(new LinkDiagnostic(
                step, host, route, error == null ? 0 : error.getStatus(), error == null ? null : error.getKind()));
    }

    void report(String step, Deeplink deeplink) {
        report(step, null, deeplink.getRoute(), null);
    }

    DeeplinkBuilder source(String url) {
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.originalUrl = url;
        source.kept = links.made(url);
        return source;
    }

    boolean openUrl(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
        DeepLinkUrl destination = routing.destinations.of(new DeepLinkUrl(source.originalUrl));
        if (destination == null) {
            resolve(source, origin, onResult);
            return true;
        }
        RoutedDeeplink routed = routing.byUrl(destination, source, null);
        boolean waits = routed.deeplink.needsMetadata() && service != null && routed.deeplink.getClickId() != null
                && (routed.target != null || routing.dialect.keepsUnroutedDeeplink());
        if (!waits) return perform(routed, next(), onResult);
        awaitMetadata(routed, source, origin, onResult);
        return routed.target != null;
    }

    /** Opens a link with what the resolve of its click answers, or without it if that fails or takes too long. */
    private void awaitMetadata(RoutedDeeplink routed, DeeplinkBuilder source, Origin origin,
            OnResult<OpenResult> onResult) {
        Waiting link = new Waiting(source, origin, onResult);
        Runnable late = () -> {
            link.setLate();
            report("late", routed.deeplink);
            if (openWithEarlierAnswer(link)) return;
            RoutedDeeplink failed = routed.withoutMetadata(timedOut());
            if (link.hasSlept()) {
                keepFailed(source.kept, failed.deeplink, failed.deeplink.getError());
                onResult.onResult(OpenResult.notOpened(failed.deeplink));
            } else {
                perform(failed, link.turn, onResult);
            }
        };
        links.begin(source.kept);
        report("resolving", null, null, null);
        link.limit(late);
        link.request(service.resolve(source.kept, null, routed.deeplink.getClickId(), answer -> {
            link.end(late);
            report("resolved", routed.deeplink);
            DeeplinkBuilder content = routed.deeplink.content.copy();
            content.setAnswer(answer);
            end(link, new RoutedDeeplink(new Deeplink(content), routed.target));
        }, error -> {
            link.end(late);
            if (link.isLast()) report("resolveFailed", null, null, error);
            if (link.isLast() && !link.isLate && openWithEarlierAnswer(link)) return;
            RoutedDeeplink failed = routed.withoutMetadata(error);
            if (!link.isLate) {
                end(link, failed);
            } else if (link.isLast() && !error.isTransient()) {
                // It is not asked for again when the network is back.
                if (currentDeeplink.wasOpened()) failed.deeplink.setWasOpened();
                currentDeeplink = failed.deeplink;
            }
        }));
    }

    private static WaymarkException timedOut() {
        return WaymarkException.of(WaymarkException.Kind.TIMED_OUT, "the service did not answer in time");
    }

    /** The link is complete: it opens, unless another one was opened since or its time has passed. */
    private void end(Waiting link, RoutedDeeplink routed) {
        if (!link.isLast()) {
            report("superseded", routed.deeplink);
            if (!link.isLate) link.onResult.onResult(OpenResult.notOpened(routed.deeplink));
        } else if (link.isLate) {
            currentDeeplink = routed.deeplink;
            report("kept", routed.deeplink);
        } else {
            perform(routed, link.turn, link.onResult);
        }
    }

    void resolve(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
        if (origin == Origin.SMARTLINK) source.mayBeRoute = false;
        Waiting link = new Waiting(source, origin, onResult);
        String host = new DeepLinkUrl(source.originalUrl).getHost();
        Runnable late = () -> {
            link.setLate();
            report("late", host, null, null);
            if (!openWithEarlierAnswer(link)) fail(link, timedOut());
        };
        links.begin(source.kept);
        OnFailure onFailure = error -> {
            link.end(late);
            if (!link.isLast()) {
                if (!link.isLate) onResult.onResult(OpenResult.failed(error, null));
                return;
            }
            report("resolveFailed", host, null, error);
            if (!link.isLate && error.isTransient() && openWithEarlierAnswer(link)) return;
            RoutedDeeplink unknown = source.mayBeRoute && isUnknown(error)
                    && routing.destinations.isSmartlinkHost(new DeepLinkUrl(source.originalUrl))
                    ? routing.unknown(source) : null;
            if (unknown == null) {
                fail(link, error);
                return;
            }
            report("unknownAsRoute", host, unknown.deeplink.getRoute(), null);
            if (link.isLate) {
                currentDeeplink = unknown.deeplink;
                return;
            }
            links.replace(source.kept);
            links.drop(source.kept);
            perform(unknown, link.turn, onResult);
        };
        if (service == null) {
            onFailure.onFailure(WaymarkException.of(
                    WaymarkException.Kind.UNREACHABLE, "the router was made without a client"));
            return;
        }
        report("resolving", host, null, null);
        link.limit(late);
        link.request(service.resolve(source.kept, source.originalUrl, null, answer -> {
            link.end(late);
            report("resolved", host, answer.getRoute(), null);
            DeeplinkBuilder resolved = source.copy();
            resolved.smartlink = source.originalUrl;
            end(link, routing.byAnswer(answer, resolved));
        }, onFailure));
    }

    /**
     * Opens a link with what the service has answered to an earlier tap, which was not seen; false if there is no such
     * answer. The one that may still come says no more: it is not taken.
     */
    private boolean openWithEarlierAnswer(Waiting link) {
        KeptLink earlier = link.earlier;
        if (earlier == null) return false;
        if (!link.hasSlept()) {
            restore(earlier, link.source.sourceApplication, link.onResult);
            return true;
        }
        RoutedDeeplink routed = answered(earlier, link.source.sourceApplication);
        next();
        report("restored", routed.deeplink);
        currentDeeplink = routed.deeplink;
        links.replace(earlier);
        report("kept", routed.deeplink);
        link.onResult.onResult(OpenResult.notOpened(routed.deeplink));
        return true;
    }

    static boolean isUnknown(WaymarkException error) {
        return error.getProblem() != null && error.getProblem().getName().equals("link-unknown");
    }

    /** The link stays the current one with its error, and is kept if it may be resolved later. */
    private void fail(Waiting link, WaymarkException error) {
        RoutedDeeplink failed = routing.failed(link.source, error);
        keepFailed(link.source.kept, failed.deeplink, error);
        // What came late was answered with the time limit's failure.
        if (link.isLate && link.isDone) return;
        if (link.origin == Origin.OPENED && failed.target != null && !link.hasSlept()) {
            perform(failed, link.turn, IGNORE);
        }
        link.onResult.onResult(OpenResult.failed(error, failed.deeplink));
    }

    private void keepFailed(KeptLink kept, Deeplink failed, WaymarkException error) {
        currentDeeplink = failed;
        if (!error.isTransient()) {
            links.refused(kept);
            return;
        }
        links.replace(kept);
        links.failed(kept, error.getKind().getCode());
        if (links.keep(kept)) report("kept", failed);
    }

    boolean open(Deeplink deeplink, OnResult<OpenResult> onResult) {
        RoutedDeeplink routed = routing.again(deeplink);
        if (routed.target != null) return perform(routed, next(), onResult);
        onResult.onResult(OpenResult.notOpened(deeplink));
        return false;
    }

    /** @param onResult receives null if there is no link, or while a newer one waits for the service */
    boolean openCurrent(OnResult<OpenResult> onResult) {
        Deeplink current = currentDeeplink;
        if (waitingTurn == lastTurn) {
            // Another link is newer.
            onResult.onResult(null);
            return false;
        }
        boolean isShown = current != null && !current.isRefused()
                && (current.isUnresolved() || routing.again(current).target != null);
        KeptLink kept = isShown ? null : unseen();
        if (kept != null) return restore(kept, null, onResult);
        if (current != null) {
            if (current.isUnresolved()) {
                resolve(again(current), Origin.AGAIN, onResult);
                return true;
            }
            RoutedDeeplink routed = routing.again(current);
            if (service == null || routed.target == null || !current.lacksMetadata()) return open(current, onResult);
            awaitMetadata(routed, again(current), Origin.AGAIN, onResult);
            return true;
        }
        onResult.onResult(null);
        return false;
    }

    /** The kept link that was not seen. */
    private KeptLink unseen() {
        KeptLink kept = links.current();
        return kept == null ? links.unseenInstallation() : kept;
    }

    void networkIsBack() {
        MainThreadExecutor.check();
        Deeplink current = currentDeeplink;
        boolean isWaiting = waitingTurn == lastTurn || waiting != null;
        if (current == null || current.getError() == null || !current.getError().isTransient() || isWaiting) return;
        if (service != null && current.lacksMetadata()) {
            awaitMetadata(routing.again(current), again(current), Origin.QUIET, IGNORE);
        } else if (current.isUnresolved()) {
            resolve(again(current), Origin.QUIET, IGNORE);
        }
    }

    private DeeplinkBuilder again(Deeplink deeplink) {
        DeeplinkBuilder source = source(deeplink.getOriginalUrl());
        source.sourceApplication = deeplink.getSourceApplication();
        source.mayBeRoute = deeplink.content.mayBeRoute;
        if (deeplink.content.kept != null) source.kept = deeplink.content.kept;
        return source;
    }

    /** Opens a link that an earlier process has kept, unless it was opened or has failed since. */
    boolean reopen(String url, String sourceApplication) {
        KeptLink kept = links.current();
        boolean isOpen = kept != null && url.equals(kept.url) && !kept.isFailed();
        return isOpen && restore(kept, sourceApplication, IGNORE);
    }

    /** Opens a kept link with its answer; without one as its URL would be. */
    boolean restore(KeptLink kept, String sourceApplication, OnResult<OpenResult> onResult) {
        byte[] body = kept.answer();
        ResolvedLink answer = body == null ? null : ResolvedLink.read(body);
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.kept = kept;
        source.originalUrl = kept.url;
        source.sourceApplication = sourceApplication;
        RoutedDeeplink routed;
        if (kept.url == null) {
            source.isDeferred = true;
            source.clickId = kept.clickId();
            if (answer == null) {
                // Nothing that this version understands.
                links.opened(kept, true);
                onResult.onResult(null);
                return false;
            }
            routed = routing.byAnswer(answer, source);
        } else if (answer == null) {
            report("restored", null, null, null);
            return openUrl(source, kept.isFailed() ? Origin.AGAIN : Origin.OPENED, onResult);
        } else {
            routed = answered(kept, sourceApplication);
        }
        report("restored", routed.deeplink);
        return perform(routed, next(), onResult);
    }

    /** A kept link with a URL and an answer. */
    private RoutedDeeplink answered(KeptLink kept, String sourceApplication) {
        ResolvedLink answer = ResolvedLink.read(kept.answer());
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.kept = kept;
        source.originalUrl = kept.url;
        source.sourceApplication = sourceApplication;
        DeepLinkUrl destination = routing.destinations.of(new DeepLinkUrl(kept.url));
        if (destination != null) return routing.byUrl(destination, source, answer);
        source.smartlink = kept.url;
        return routing.byAnswer(answer, source);
    }

    /** Runs filters, handlers and the target, in this order; returns false if it is known that the link does not open. */
    boolean perform(RoutedDeeplink routed, int turn, OnResult<OpenResult> onResult) {
        Deeplink deeplink = routed.deeplink;
        boolean isFailed = deeplink.isUnresolved();
        KeptLink kept = deeplink.content.kept;
        if (routed.target == null && !routing.dialect.keepsUnroutedDeeplink()) {
            if (kept != null) links.drop(kept);
            report("unrouted", deeplink);
            onResult.onResult(OpenResult.notOpened(deeplink));
            return false;
        }
        currentDeeplink = deeplink;
        if (kept != null && routed.target != null && !deeplink.isRefused()) links.replace(kept);
        record(deeplink, kept);
        if (routed.target == null) {
            report("unrouted", deeplink);
            onResult.onResult(OpenResult.notOpened(deeplink));
            return false;
        }
        LinkRun run = new LinkRun(routed, new ArrayList<>(filters), new ArrayList<>(handlers)) {
            @Override
            boolean isSuperseded() {
                return turn != lastTurn;
            }

            @Override
            void waiting() {
                if (kept != null && !isFailed) links.keep(kept);
            }

            @Override
            void starting() {
                if (kept != null && !isFailed) links.starting(kept);
            }

            @Override
            void ended(String step) {
                report(step, deeplink);
                if (kept != null && !isFailed && step.equals("opened")) {
                    links.opened(kept, deeplink.content.hasAnswer);
                }
                if (kept != null && !isFailed && step.equals("heldBack") && links.keep(kept)) report("kept", deeplink);
                onResult.onResult(
                        step.equals("opened") ? OpenResult.opened(deeplink) : OpenResult.notOpened(deeplink));
            }
        };
        return run.start();
    }

    /** Once per link: opening it again after a filter held it back is no second opening. */
    private void record(Deeplink deeplink, KeptLink kept) {
        boolean isRecorded = kept != null && links.isRecorded(kept);
        if (service == null || !deeplink.isFromSmartlink() || isRecorded || !deeplink.takeRecording()) return;
        service.recordOpen(deeplink.getClickId(), deeplink.getSmartlink());
        if (kept != null) links.recorded(kept);
    }

    /** Begins with another link, for which the one that waits is given up. */
    int next() {
        MainThreadExecutor.check();
        Cancellable earlier = waiting;
        waiting = null;
        lastTurn++;
        if (earlier != null) earlier.cancel();
        return lastTurn;
    }
}
