package io.flutter.embedding.engine.plugins;

import android.content.Context;
import io.flutter.plugin.common.BinaryMessenger;

public interface FlutterPlugin {
    class FlutterPluginBinding {
        private final Context context;
        private final BinaryMessenger messenger;

        public FlutterPluginBinding(Context context, BinaryMessenger messenger) {
            this.context = context;
            this.messenger = messenger;
        }

        public Context getApplicationContext() {
            return context;
        }

        public BinaryMessenger getBinaryMessenger() {
            return messenger;
        }
    }

    void onAttachedToEngine(FlutterPluginBinding binding);

    void onDetachedFromEngine(FlutterPluginBinding binding);
}
