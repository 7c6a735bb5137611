package waymark.client;

/** A call that may be under way. */
public interface Cancellable {
    /** Ends the call, unless it is complete: its {@code onFailure} receives {@code CANCELLED}. */
    void cancel();
}
