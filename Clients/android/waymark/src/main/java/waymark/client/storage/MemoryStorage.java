package waymark.client.storage;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/** Stores everything in memory only: for tests. */
public final class MemoryStorage implements ClientStorage {
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    @Nullable
    public synchronized byte[] read(@NonNull String name) {
        return values.get(name);
    }

    @Override
    public synchronized void write(@NonNull String name, @NonNull byte[] bytes) {
        values.put(name, bytes);
    }

    @Override
    public synchronized void setAside(@NonNull String name) {
        values.put(name + ".broken", values.remove(name));
    }
}
