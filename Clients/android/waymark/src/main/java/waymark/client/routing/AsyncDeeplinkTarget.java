package waymark.client.routing;

import androidx.annotation.NonNull;

/** A {@link DeeplinkTarget} that shows its screen later. The link is kept until it has. */
public interface AsyncDeeplinkTarget {
    /** @param done to be run once, on the main thread, when the screen is there or can't be */
    void open(@NonNull Deeplink deeplink, @NonNull Runnable done);
}
