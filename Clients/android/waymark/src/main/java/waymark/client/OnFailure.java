package waymark.client;

import androidx.annotation.NonNull;

/** Receives the reason of a failure, on the client's callback executor. A Kotlin or Java lambda. */
public interface OnFailure {
    void onFailure(@NonNull WaymarkException error);
}
