package waymark.client;

import androidx.annotation.NonNull;

/** Random IDs and the jitter of waits. Tests inject their own. */
public interface Randomness {
    /** A random UUID (RFC 9562, section 5.4). */
    @NonNull
    String identifier();

    /** A number of at least 0 and less than 1. */
    double fraction();
}
