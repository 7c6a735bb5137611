package waymark.client.internal;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import waymark.client.WaymarkException;
import waymark.client.storage.ClientStorage;
import waymark.client.transport.TransportResponse;

/**
 * Sends requests that must take effect once, however often they are sent.
 *
 * <p>The key is stored before the first attempt and removed when the service has answered. Until then the same request
 * uses the same key, also after the app was killed.
 */
public final class IdempotentRequests {
    private final RequestSender sender;
    private final StoredState<PendingRequests> pending;
    /** The number of calls under way by key. */
    private final Map<String, Integer> underWay = new HashMap<>();
    /** The keys of which one call has ended without a response: its repetition needs the key. */
    private final Set<String> lost = new HashSet<>();

    public IdempotentRequests(RequestSender sender, ClientStorage storage) {
        this.sender = sender;
        pending = new StoredState<>(storage, PendingRequests.NAME, nothing -> new PendingRequests());
    }

    /**
     * @param isShared whether equal requests at the same time share a key and count as one (a link that was tapped
     *     twice), or have a key each (two links)
     * @param reader reads the response's body; null if it is not the service's, because a captive portal also answers 200
     */
    public <V> V post(String path, byte[] body, boolean isShared, Transform<byte[], V> reader)
            throws WaymarkException {
        String key = begin(RequestFingerprint.of(path, body), isShared);
        boolean isAnswered = false;
        try {
            TransportResponse answer = sender.post(path, body, key);
            V value = reader.apply(answer.getBody());
            if (value == null) throw WaymarkException.unexpected(answer.getStatus(), -1);
            isAnswered = true;
            return value;
        } catch (WaymarkException error) {
            isAnswered = error.isFinal();
            throw error;
        } finally {
            end(key, isAnswered);
        }
    }

    private synchronized String begin(String fingerprint, boolean isShared) {
        long now = sender.now();
        String fresh = sender.random.identifier();
        String key = pending.update(requests -> {
            String known = requests.key(
                    fingerprint, now, isShared ? Collections.<String>emptySet() : underWay.keySet());
            if (known != null) return known;
            requests.note(fingerprint, fresh, now);
            return fresh;
        });
        Integer count = underWay.get(key);
        underWay.put(key, count == null ? 1 : count + 1);
        return key;
    }

    private synchronized void end(String key, boolean isAnswered) {
        if (!isAnswered) lost.add(key);
        int others = underWay.get(key) - 1;
        if (others > 0) {
            underWay.put(key, others);
            return;
        }
        underWay.remove(key);
        if (lost.remove(key)) return;
        pending.update(requests -> {
            requests.forget(key);
            return null;
        });
    }
}
