package waymark.client;

/** The number of events by outcome. */
public final class EventCounts {
    private final int waiting;
    private final long dropped;
    private final long refused;

    public EventCounts(int waiting, long dropped, long refused) {
        this.waiting = waiting;
        this.dropped = dropped;
        this.refused = refused;
    }

    /** Not yet confirmed by the service. */
    public int getWaiting() {
        return waiting;
    }

    /** Dropped since the installation because there were too many or they were too old. */
    public long getDropped() {
        return dropped;
    }

    /** Dropped since the installation because the service refused them. */
    public long getRefused() {
        return refused;
    }

    @Override
    public String toString() {
        return "EventCounts(waiting: " + waiting + ", dropped: " + dropped + ", refused: " + refused + ")";
    }
}
