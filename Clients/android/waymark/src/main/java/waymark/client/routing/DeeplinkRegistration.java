package waymark.client.routing;

/** A filter or handler of a router, to be removed with {@link Deeplinking#remove}. */
public final class DeeplinkRegistration {
    /** A {@link DeeplinkFilter} or a {@link DeeplinkHandler}. */
    final Object object;

    DeeplinkRegistration(Object object) {
        this.object = object;
    }
}
