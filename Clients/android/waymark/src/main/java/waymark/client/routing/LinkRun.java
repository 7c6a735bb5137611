package waymark.client.routing;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** One run of filters, handlers and a target. Each is awaited; all that is synchronous runs before {@link #start} returns. */
abstract class LinkRun {
    private final RoutedDeeplink routed;
    private final List<DeeplinkRegistration> filters;
    private final List<DeeplinkRegistration> handlers;
    private boolean isOver;
    private boolean isOpened;

    LinkRun(RoutedDeeplink routed, List<DeeplinkRegistration> filters, List<DeeplinkRegistration> handlers) {
        this.routed = routed;
        this.filters = filters;
        this.handlers = handlers;
    }

    /** Whether another link was opened since. */
    abstract boolean isSuperseded();

    /** A filter decides later. */
    abstract void waiting();

    /** The target is about to run. */
    abstract void starting();

    /** @param step {@code opened}, {@code heldBack} or {@code superseded} */
    abstract void ended(String step);

    /** False if it is known that the link does not open. */
    boolean start() {
        filter(0);
        return isOpened || !isOver;
    }

    private void filter(int index) {
        if (index == filters.size()) {
            open();
            return;
        }
        AtomicBoolean isDecided = new AtomicBoolean();
        ((AsyncDeeplinkFilter) filters.get(index).object).filter(routed.deeplink, passes -> {
            if (!isDecided.compareAndSet(false, true)) return;
            if (isSuperseded()) {
                end("superseded");
            } else if (!passes) {
                end("heldBack");
            } else {
                filter(index + 1);
            }
        });
        if (!isDecided.get()) waiting();
    }

    private void open() {
        for (DeeplinkRegistration handler : handlers) {
            ((DeeplinkHandler) handler.object).handle(routed.deeplink);
            if (isSuperseded()) {
                end("superseded");
                return;
            }
        }
        starting();
        AtomicBoolean isDone = new AtomicBoolean();
        routed.target.open(routed.deeplink, () -> {
            if (!isDone.compareAndSet(false, true)) return;
            routed.deeplink.setWasOpened();
            isOpened = true;
            end("opened");
        });
    }

    private void end(String step) {
        isOver = true;
        ended(step);
    }
}
