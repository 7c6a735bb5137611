package com.google.firebase.dynamiclinks;

import android.content.Intent;
import android.net.Uri;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;

/** Firebase's entry point, on a Waymark client. {@link WaymarkDynamicLinks#setUp} makes the instance. */
public abstract class FirebaseDynamicLinks {
    public FirebaseDynamicLinks() {}

    /** @throws IllegalStateException before {@link WaymarkDynamicLinks#setUp} */
    @NonNull
    public static FirebaseDynamicLinks getInstance() {
        return WaymarkDynamicLinks.current();
    }

    /**
     * The link that an activity was started with; or, without one, at the first launch, the link that led to the
     * installation. The result is null if there is neither.
     */
    @NonNull
    public abstract Task<PendingDynamicLinkData> getDynamicLink(@Nullable Intent intent);

    /** The destination of a short link, a long link, or a URL with a click of the service. */
    @NonNull
    public abstract Task<PendingDynamicLinkData> getDynamicLink(@NonNull Uri dynamicLinkUri);

    @NonNull
    public abstract DynamicLink.Builder createDynamicLink();
}
