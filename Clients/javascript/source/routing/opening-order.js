/**
 * Tracks the most recent link and whether it is waiting for the service: a response that arrives after a
 * later link was opened is ignored.
 */
export class OpeningOrder {
    constructor() {
        this.last = 0;
        /** @type {number | null} */
        this.waiting = null;
    }

    get isWaiting() {
        return this.waiting === this.last;
    }

    /** A link opens immediately. */
    advance() {
        this.last += 1;
    }

    /** A link opens when its response arrives. */
    begin() {
        this.last += 1;
        this.waiting = this.last;
        return this.last;
    }

    /**
     * The answer has arrived. True if no other link was opened in between.
     *
     * @param {number} number
     */
    end(number) {
        if (this.waiting === number) this.waiting = null;
        return number === this.last;
    }
}
