package waymark.client.routing;

import waymark.client.Cancellable;
import waymark.client.DeferredDeeplink;
import waymark.client.InstallReferrer;
import waymark.client.OnNullableResult;
import waymark.client.ResolvedLink;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkException;
import waymark.client.internal.KeptLink;

/** A deferred link that waits for the service. */
final class DeferredOpening {
    private final SmartlinkService service;
    private final LinkOpenings openings;
    private final OnNullableResult<OpenResult> onResult;
    private final long since;
    private Cancellable timer;
    private boolean isLate;
    private boolean isDone;

    DeferredOpening(SmartlinkService service, LinkOpenings openings, OnNullableResult<OpenResult> onResult) {
        this.service = service;
        this.openings = openings;
        this.onResult = onResult;
        since = service.elapsed();
    }

    /** @see Deeplinking#openDeferred */
    void start(InstallReferrer referrer, String clipboard) {
        if (openings.hasLink()) {
            service.recordInstallation(null);
            service.endClaim();
            onResult.onResult(null);
            return;
        }
        KeptLink kept = openings.links.unseenInstallation();
        if (kept != null) {
            openings.restore(kept, null, onResult::onResult);
            return;
        }
        openings.report("resolving", null, null, null);
        timer = service.schedule(openings.openingTimeLimit, this::late);
        service.claimDeferred(referrer, clipboard, this::answered, this::failed);
    }

    private void late() {
        if (isLate || isDone) return;
        isLate = true;
        openings.report("late", null, null, null);
        onResult.onResult(OpenResult.failed(
                WaymarkException.of(WaymarkException.Kind.TIMED_OUT, "the service did not answer in time"), null));
    }

    private void end() {
        timer.cancel();
        if (service.elapsed() - since > openings.openingTimeLimit) late();
        isDone = true;
    }

    private void failed(WaymarkException error) {
        end();
        openings.report("resolveFailed", null, null, error);
        if (!isLate) onResult.onResult(OpenResult.failed(error, null));
    }

    private void answered(DeferredDeeplink deferred) {
        end();
        if (deferred == null) {
            if (!isLate) onResult.onResult(null);
            return;
        }
        ResolvedLink answer = deferred.getLink();
        openings.report("resolved", null, answer.getRoute(), null);
        KeptLink kept = openings.links.unseenInstallation();
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.isDeferred = true;
        source.clickId = deferred.getClickId();
        source.kept = kept == null ? openings.links.made(null) : kept;
        RoutedDeeplink routed = openings.routing.byAnswer(answer, source);
        if (isLate || openings.hasLink()) {
            openings.report("kept", routed.deeplink);
            if (!isLate) onResult.onResult(OpenResult.notOpened(routed.deeplink));
        } else {
            openings.perform(routed, openings.next(), onResult::onResult);
        }
    }
}
