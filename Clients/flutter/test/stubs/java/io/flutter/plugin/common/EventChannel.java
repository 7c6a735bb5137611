package io.flutter.plugin.common;

public class EventChannel {
    public interface EventSink {
        void success(Object event);
    }

    public interface StreamHandler {
        void onListen(Object arguments, EventSink events);

        void onCancel(Object arguments);
    }

    private final BinaryMessenger messenger;
    private final String name;

    public EventChannel(BinaryMessenger messenger, String name) {
        this.messenger = messenger;
        this.name = name;
    }

    public void setStreamHandler(StreamHandler handler) {
        messenger.streams.put(name, handler);
    }
}
