package io.flutter.plugin.common;

public class MethodCall {
    public final String method;

    public MethodCall(String method) {
        this.method = method;
    }
}
