package waymark.client.internal;

import java.io.IOException;
import java.util.Arrays;
import waymark.client.json.Json;
import waymark.client.storage.ClientStorage;

/**
 * A stored value with its copy in memory. A change is stored before {@link #update} returns.
 *
 * <p>If the storage can't be read, each use tries again, and nothing is written before a read has succeeded, so that
 * stored data is not lost. If a write fails, the value stays in memory and the next use writes it.
 */
public final class StoredState<V extends StoredState.Value<V>> {
    /** A value that changes in place. */
    public interface Value<V> {
        /** Reads the stored form into this new value; false if it is not valid. */
        boolean read(Json json);

        /** The stored form, for {@link Json#write}. */
        Object json();

        /** Appends what changed while the stored value (this one) could not be read. */
        void add(V later);
    }

    private final ClientStorage storage;
    private final String name;
    private final Transform<Void, V> maker;
    private V value;
    private boolean isLoaded;
    /** What the storage has, as far as known. */
    private byte[] written;

    /** @param maker makes a value without content */
    public StoredState(ClientStorage storage, String name, Transform<Void, V> maker) {
        this.storage = storage;
        this.name = name;
        this.maker = maker;
        value = maker.apply(null);
        written = Json.bytes(value.json());
    }

    /** Whether the stored value is known: it was read, or there was none. */
    public synchronized boolean isReadable() {
        if (!isLoaded) load();
        return isLoaded;
    }

    /** Whether the storage has the value as it is. */
    public synchronized boolean isWritten() {
        return isLoaded && Arrays.equals(Json.bytes(value.json()), written);
    }

    /** @param change reads or changes the value */
    public synchronized <R> R update(Transform<V, R> change) {
        if (!isLoaded) load();
        R result = change.apply(value);
        if (isLoaded) store();
        return result;
    }

    private void load() {
        byte[] bytes;
        Json json;
        V stored = maker.apply(null);
        boolean isValid;
        try {
            bytes = storage.read(name);
            json = bytes == null ? null : Json.readObject(bytes);
            isValid = json != null && stored.read(json);
            if (bytes != null && !isValid) storage.setAside(name);
        } catch (IOException | RuntimeException error) {
            return;
        }
        isLoaded = true;
        if (!isValid) return;
        written = bytes;
        stored.add(value);
        value = stored;
    }

    private void store() {
        byte[] bytes = Json.bytes(value.json());
        if (Arrays.equals(bytes, written)) return;
        try {
            storage.write(name, bytes);
            written = bytes;
        } catch (IOException | RuntimeException error) {
            // A full disk must not make a call fail. The next use writes again.
        }
    }
}
