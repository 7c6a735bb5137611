package androidx.core.app;

import android.content.Intent;
import androidx.core.util.Consumer;

/** Since version 1.8.0 of androidx.core; ComponentActivity is one. */
public interface OnNewIntentProvider {
    void addOnNewIntentListener(Consumer<Intent> listener);

    void removeOnNewIntentListener(Consumer<Intent> listener);
}
