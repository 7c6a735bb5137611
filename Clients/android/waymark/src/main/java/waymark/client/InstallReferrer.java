package waymark.client;

import androidx.annotation.Nullable;
import java.io.IOException;

/**
 * Reads the install referrer of a store. The module {@code waymark-installreferrer} has one for Google Play; an app of
 * another store implements its own. A Kotlin or Java lambda.
 */
public interface InstallReferrer {
    /**
     * Blocks, on a thread of the client's executor. It must end, with or without a response.
     *
     * @return the referrer as the store passes it on; null if there is none
     * @throws IOException if the store can't answer now: nothing is claimed or recorded, and the next launch asks again
     */
    @Nullable
    String read() throws IOException;
}
