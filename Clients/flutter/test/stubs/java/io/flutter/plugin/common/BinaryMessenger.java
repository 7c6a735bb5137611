package io.flutter.plugin.common;

import java.util.HashMap;
import java.util.Map;

/** Not in Flutter: the handlers of streams by the names of their channels. */
public class BinaryMessenger {
    public final Map<String, EventChannel.StreamHandler> streams = new HashMap<>();
    public MethodChannel.MethodCallHandler calls;
}
