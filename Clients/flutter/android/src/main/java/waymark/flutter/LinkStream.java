package waymark.flutter;

import io.flutter.plugin.common.EventChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The links that the app was opened with, until Dart listens. On the main thread only. */
final class LinkStream implements EventChannel.StreamHandler {
    /** The last link wins, so older ones need not wait. */
    private static final int LIMIT = 10;

    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private EventChannel.EventSink events;

    void add(String link) {
        if (events != null) {
            events.success(link);
            return;
        }
        if (waiting.size() == LIMIT) waiting.removeFirst();
        waiting.addLast(link);
    }

    /** The links that wait, the oldest first; they wait no longer. */
    List<String> take() {
        List<String> links = new ArrayList<>(waiting);
        waiting.clear();
        return links;
    }

    @Override
    public void onListen(Object arguments, EventChannel.EventSink events) {
        this.events = events;
        while (!waiting.isEmpty()) events.success(waiting.removeFirst());
    }

    @Override
    public void onCancel(Object arguments) {
        events = null;
    }
}
