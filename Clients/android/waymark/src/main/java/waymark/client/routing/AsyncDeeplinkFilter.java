package waymark.client.routing;

import androidx.annotation.NonNull;
import waymark.client.OnResult;

/** A {@link DeeplinkFilter} that decides later, for example when a server has said that the person is signed in. */
public interface AsyncDeeplinkFilter {
    /** @param result to be called once, on the main thread, with whether the link may open */
    void filter(@NonNull Deeplink deeplink, @NonNull OnResult<Boolean> result);
}
