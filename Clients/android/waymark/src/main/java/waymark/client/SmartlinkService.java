package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Set;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;

/** The calls that a router makes. {@link WaymarkClient} is such a service; tests have others. */
public interface SmartlinkService {
    /** The hosts of the app's smart links. */
    @NonNull
    Set<String> getDomains();

    /** @param smartlink the smart link as it was opened, with its query */
    @NonNull
    Cancellable resolve(@NonNull String smartlink, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure);

    @NonNull
    Cancellable resolveClick(@NonNull String clickId, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure);

    /**
     * Resolves a smart link, or a click if that is null, for a router: the answer is kept with the link before it can be
     * lost.
     */
    @NonNull
    Cancellable resolve(@NonNull KeptLink link, @Nullable String smartlink, @Nullable String clickId,
            @NonNull OnResult<ResolvedLink> onSuccess, @NonNull OnFailure onFailure);

    /** Resolves without taking a redeem, in one attempt, to explain a link. */
    @NonNull
    Cancellable resolveOnce(@NonNull String smartlink, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure);

    /** The links that the person has not seen. */
    @NonNull
    KeptLinks getKeptLinks();

    /** Runs the action later, where callbacks run. Cancelling it may come too late. */
    @NonNull
    Cancellable schedule(long milliseconds, @NonNull Runnable action);

    /** Milliseconds since some moment, on a clock that goes on while the device sleeps and that nobody can set. */
    long elapsed();

    /** @param onSuccess receives the smart link's URL */
    @NonNull
    Cancellable createSmartlink(@NonNull LinkRequest link, @NonNull OnResult<String> onSuccess,
            @NonNull OnFailure onFailure);

    /** @param onSuccess receives null if there is no deferred deep link */
    @NonNull
    Cancellable claimDeferred(@Nullable InstallReferrer referrer, @Nullable String clipboard,
            @NonNull OnNullableResult<DeferredDeeplink> onSuccess, @NonNull OnFailure onFailure);

    /** Ends the claim for a deferred deep link, because the app was started with a link. */
    void endClaim();

    /** Must not block for long: it is called on the main thread. */
    void recordOpen(@Nullable String clickId, @Nullable String smartlink);

    /** Must not block for long: it is called on the main thread. */
    void recordInstallation(@Nullable String clickId);
}
