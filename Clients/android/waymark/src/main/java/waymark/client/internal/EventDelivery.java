package waymark.client.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import waymark.client.Problem;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.transport.DaemonThreads;
import waymark.client.transport.TransportResponse;

/** Sends queued events in batches, one batch at a time. */
public final class EventDelivery {
    private static final String PATH = "/api/v1/events";
    /** The service's limit of a batch. */
    private static final int BATCH = 100;
    /** The waits between rounds that failed. */
    private static final RetryPolicy PAUSES = new RetryPolicy(Integer.MAX_VALUE, 10_000, 600_000);

    private final EventQueue queue;
    private final RequestSender sender;
    /** Held while a batch is under way. */
    private final Object turn = new Object();
    private boolean isDelivering;
    /** Whether an event was added since the last round began. */
    private boolean isWanted;

    public EventDelivery(EventQueue queue, RequestSender sender) {
        this.queue = queue;
        this.sender = sender;
    }

    /** Sends all queued events, or throws; what was not confirmed stays queued. */
    public void flush() throws WaymarkException {
        synchronized (turn) {
            sendBatches();
        }
    }

    /** Sends the events, and those added meanwhile, on a thread of its own, which ends when none is left. */
    public void deliver() {
        synchronized (this) {
            isWanted = true;
            if (isDelivering) return;
            isDelivering = true;
        }
        DaemonThreads.daemon("waymark-events", this::run).start();
    }

    private void run() {
        for (int failures = 0; !isDone();) {
            try {
                flush();
                failures = 0;
            } catch (WaymarkException error) {
                boolean goesOn = error.isTransient() && pause(++failures, error.getRetryAfterMillis());
                if (!goesOn && stops()) return;
            } catch (RuntimeException error) {
                // A transport of the app failed. The next event tries again.
                if (stops()) return;
            }
        }
    }

    /** Between the last look at the queue and the end no event can be added unseen. */
    private synchronized boolean isDone() {
        isWanted = false;
        if (queue.isEmpty()) isDelivering = false;
        return !isDelivering;
    }

    /** False if an event was added during the round that failed: it is the next event, which tries again. */
    private synchronized boolean stops() {
        isDelivering = isWanted;
        return !isDelivering;
    }

    private boolean pause(int failures, long retryAfter) {
        long wait = PAUSES.waitMillis(failures, retryAfter, sender.random.fraction());
        try {
            // A wait that the service asks for is honoured even if it is longer than the longest pause.
            sender.clock.sleep(wait >= 0 ? wait : Math.max(retryAfter, 0));
            return true;
        } catch (InterruptedException error) {
            return false;
        }
    }

    private void sendBatches() throws WaymarkException {
        int size = BATCH;
        while (true) {
            List<LinkEvent> batch = queue.batch(size, sender.now());
            if (batch.isEmpty()) return;
            try {
                TransportResponse answer = sender.post(PATH, body(batch), null);
                // A captive portal also responds with 200, and has counted nothing.
                Json json = Json.readObject(answer.getBody());
                if (json == null || !(json.getMembers().get("counted") instanceof Long)) {
                    throw WaymarkException.unexpected(answer.getStatus(), -1);
                }
                queue.remove(batch, false);
                size = Math.min(BATCH, size * 2);
            } catch (WaymarkException error) {
                Problem problem = error.getProblem();
                int status = problem == null ? 0 : problem.getStatus();
                if (status != 400 && status != 413 && status != 422) throw error;
                // A refused event must not hold up the others.
                List<LinkEvent> named = named(problem, batch);
                if (!named.isEmpty() || batch.size() == 1) {
                    queue.remove(named.isEmpty() ? batch : named, true);
                } else {
                    size = batch.size() / 2;
                }
            }
        }
    }

    private static byte[] body(List<LinkEvent> batch) {
        List<Object> events = new ArrayList<>();
        for (LinkEvent event : batch) events.add(event.body());
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("events", events);
        return Json.bytes(members);
    }

    /** The events that a problem names: the fourth for {@code events[3].type}. */
    private static List<LinkEvent> named(Problem problem, List<LinkEvent> batch) {
        TreeSet<Integer> indexes = new TreeSet<>();
        for (Problem.Field field : problem.getErrors()) {
            String name = field.getField();
            int end = name.indexOf(']');
            if (!name.startsWith("events[") || end < 0) continue;
            try {
                int index = Integer.parseInt(name.substring(7, end));
                if (index >= 0 && index < batch.size()) indexes.add(index);
            } catch (NumberFormatException error) {
                // Names no event.
            }
        }
        List<LinkEvent> named = new ArrayList<>();
        for (int index : indexes) named.add(batch.get(index));
        return named;
    }
}
