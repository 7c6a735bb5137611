/**
 * Knows the most recent link: a response or filter that returns after a later one was opened is
 * ignored.
 */
export class OpeningOrder {
    constructor() {
        this.last = 0;
    }

    /** A link begins to open. Returns its number. */
    begin() {
        this.last += 1;
        return this.last;
    }

    /**
     * Whether no other link was opened since.
     *
     * @param {number} number
     */
    isLast(number) {
        return number === this.last;
    }
}
