package waymark.cases;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.Clock;
import waymark.client.Randomness;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.json.JsonException;
import waymark.client.transport.HttpTransport;
import waymark.client.transport.TransportRequest;
import waymark.client.transport.TransportResponse;

/** Answers requests from a list and records them; a clock that stands still; random numbers that are given. */
public final class ScriptedNetwork implements HttpTransport, Clock, Randomness {
    private static final List<String> LEFT_OUT = Arrays.asList("id", "at", "installID");

    public final List<TransportRequest> sent = new ArrayList<>();
    /** In seconds. */
    public final List<Object> waits = new ArrayList<>();
    /** 2026-11-21T10:00:00Z, in milliseconds. */
    public long time = 1_795_255_200_000L;
    /** By how much somebody has set the device's clock, in milliseconds. */
    public long change;
    public double random = 0.5;
    /** Runs at the next attempt, before its answer. */
    Runnable meanwhile;
    private final List<Object> answers;
    private int position;
    private int identifiers;

    public ScriptedNetwork(List<Object> answers) {
        this.answers = answers == null ? new ArrayList<>() : answers;
    }

    @Override
    public synchronized TransportResponse send(TransportRequest request) throws WaymarkException {
        sent.add(request);
        Runnable call = meanwhile;
        meanwhile = null;
        if (call != null) call.run();
        Map<String, Object> answer = position < answers.size() ? Json.asObject(answers.get(position++)) : null;
        // After the time limit, and not so long after it as if the process had slept.
        if (answer != null && Boolean.TRUE.equals(answer.get("late"))) time += 5_500;
        String failure = answer == null ? "unreachable" : Json.asString(answer.get("failure"));
        if (failure != null) throw WaymarkException.of(reason(failure), failure);
        int status = ((Long) answer.get("status")).intValue();
        Map<String, String> fields = new HashMap<>();
        byte[] body = new byte[0];
        if (answer.containsKey("json")) {
            body = Json.bytes(answer.get("json"));
            fields.put("content-type", status >= 400 ? "application/problem+json" : "application/json");
        } else if (answer.containsKey("text")) {
            body = Json.asString(answer.get("text")).getBytes(StandardCharsets.UTF_8);
        } else if (answer.containsKey("length")) {
            body = new byte[((Long) answer.get("length")).intValue()];
            Arrays.fill(body, (byte) ' ');
        }
        Map<String, Object> given = Json.asObject(answer.get("headers"));
        if (given != null) {
            for (Map.Entry<String, Object> field : given.entrySet()) {
                fields.put(field.getKey().toLowerCase(java.util.Locale.ROOT), (String) field.getValue());
            }
        }
        return new TransportResponse(status, fields, body);
    }

    private static WaymarkException.Kind reason(String failure) {
        for (WaymarkException.Kind reason : WaymarkException.Kind.values()) {
            if (reason.getCode().equals(failure)) return reason;
        }
        throw new IllegalArgumentException(failure);
    }

    @Override
    public long now() {
        return time + change;
    }

    @Override
    public long elapsed() {
        return time;
    }

    @Override
    public void sleep(long milliseconds) {
        waits.add(milliseconds / 1_000.0);
    }

    @Override
    public synchronized String identifier() {
        return String.format("00000000-0000-4000-8000-%012d", ++identifiers);
    }

    @Override
    public double fraction() {
        return random;
    }

    /** The attempts as path and body, without what differs from run to run. */
    public List<Object> requests() throws JsonException {
        List<Object> requests = new ArrayList<>();
        for (TransportRequest request : sent) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("path", request.getUrl().substring("https://go.example.com".length()));
            entry.put("json", withoutIdentifiers(Json.read(request.getBody()).getValue()));
            requests.add(entry);
        }
        return requests;
    }

    static Object withoutIdentifiers(Object value) {
        if (value instanceof List) {
            List<Object> copy = new ArrayList<>();
            for (Object element : Json.asArray(value)) copy.add(withoutIdentifiers(element));
            return copy;
        }
        if (!(value instanceof Map)) return value;
        Map<String, Object> copy = new LinkedHashMap<>();
        for (Map.Entry<String, Object> member : Json.asObject(value).entrySet()) {
            if (!LEFT_OUT.contains(member.getKey())) copy.put(member.getKey(), withoutIdentifiers(member.getValue()));
        }
        return copy;
    }

    /** The idempotency keys, numbered in the order of their appearance. */
    public List<Object> keys() {
        List<String> known = new ArrayList<>();
        List<Object> keys = new ArrayList<>();
        for (TransportRequest request : sent) {
            String key = request.getFields().get("Idempotency-Key");
            if (key != null && !known.contains(key)) known.add(key);
            keys.add(key == null ? null : (long) known.indexOf(key) + 1);
        }
        return keys;
    }
}
