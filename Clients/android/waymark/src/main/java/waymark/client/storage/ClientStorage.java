package waymark.client.storage;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.io.IOException;

/**
 * Stores the client's state: unsent events, the keys of requests without a response, and the installation's ID.
 *
 * <p>It is called from any thread, including the main one, but never concurrently for the same name. Values are a few
 * kilobytes. A storage belongs to one client in one process.
 */
public interface ClientStorage {
    /**
     * The bytes last written under the name; null if there are none.
     *
     * @throws IOException if they may exist but can't be read now; the client tries again at the next use
     */
    @Nullable
    byte[] read(@NonNull String name) throws IOException;

    /** Replaces the bytes atomically: if the process is killed, the old or the new ones are there. */
    void write(@NonNull String name, @NonNull byte[] bytes) throws IOException;

    /**
     * Moves invalid bytes to {@code NAME.broken}, replacing earlier ones, so that the name is free.
     *
     * @throws IOException if they can't be moved now; the client tries again at the next use
     */
    void setAside(@NonNull String name) throws IOException;
}
