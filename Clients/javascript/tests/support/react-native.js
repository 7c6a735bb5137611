// A stand-in for the two parts of React Native that the provider uses: the test is the system.

/** @template Event */
class Emitter {
    listeners = new Set();

    /** @param {string} _ @param {(event: any) => void} listener */
    addEventListener(_, listener) {
        this.listeners.add(listener);
        return { remove: () => this.listeners.delete(listener) };
    }

    /** @param {any} event */
    emit(event) {
        this.listeners.forEach((listener) => listener(event));
    }
}

class Links extends Emitter {
    /** @type {string | null} */
    initial = null;

    async getInitialURL() {
        return this.initial;
    }
}

export const Linking = new Links();
export const AppState = new Emitter();
