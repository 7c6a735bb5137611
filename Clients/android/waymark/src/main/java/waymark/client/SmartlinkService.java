package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Set;

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
