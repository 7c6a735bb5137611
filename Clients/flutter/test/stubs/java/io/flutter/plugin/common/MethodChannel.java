package io.flutter.plugin.common;

public class MethodChannel {
    public interface Result {
        void success(Object result);

        void error(String code, String message, Object details);

        void notImplemented();
    }

    public interface MethodCallHandler {
        void onMethodCall(MethodCall call, Result result);
    }

    private final BinaryMessenger messenger;

    public MethodChannel(BinaryMessenger messenger, String name) {
        this.messenger = messenger;
    }

    public void setMethodCallHandler(MethodCallHandler handler) {
        messenger.calls = handler;
    }
}
