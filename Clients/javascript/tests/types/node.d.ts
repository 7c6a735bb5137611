// The parts of Node that the sources and the documentation use: Debian has no types of Node.
declare module "node:fs/promises" {
    export function mkdir(
        path: string,
        options: { recursive: boolean; mode: number },
    ): Promise<unknown>;
    export function open(
        path: string,
        flags: string,
        mode: number,
    ): Promise<{
        writeFile(text: string, encoding: string): Promise<void>;
        sync(): Promise<void>;
        close(): Promise<void>;
    }>;
    export function readFile(path: string, encoding: "utf8"): Promise<string>;
    export function rename(from: string, to: string): Promise<void>;
    export function rm(path: string, options: { force: boolean }): Promise<void>;
}
declare module "node:path" {
    export function join(...parts: string[]): string;
}
declare module "node:url" {
    export function fileURLToPath(url: string | URL): string;
}
declare var process: {
    pid: number;
    env: { [name: string]: string | undefined };
    versions: { node?: string };
};
