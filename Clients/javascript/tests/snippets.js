// Compiles every snippet of the documentation as a consumer with strict types: node snippets.js
// PAGE…
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const client = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "waymark-snippets-"));
const paths = {
    "waymark-client": [join(client, "waymark.d.ts")],
    "waymark-client/*": [join(client, "*.d.ts")],
};
const shared = {
    strict: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    target: "es2022",
    module: "es2022",
    moduleResolution: "node",
    skipLibCheck: false,
    baseUrl: ".",
    paths,
    types: [],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    jsx: "preserve",
};

/**
 * A project of its own for each, because the types of browsers are not there in Node and React
 * Native.
 */
function compile(name, options, files) {
    writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { ...shared, ...options }, files }),
    );
    try {
        execFileSync("tsc", ["--project", folder], { stdio: "pipe" });
        return true;
    } catch (error) {
        console.error(`${name}\n${error.stdout}`);
        return false;
    }
}

let count = 0;
let isGood = true;
writeFileSync(
    join(folder, "console.d.ts"),
    `declare const console: { log(...values: unknown[]): void };
declare class URL { constructor(url: string); href: string }
`,
);
for (const types of ["node.d.ts", "packages.d.ts"]) {
    copyFileSync(new URL(`types/${types}`, import.meta.url), join(folder, types));
}
for (const page of process.argv.slice(2)) {
    const text = readFileSync(page, "utf8");
    for (const [index, [, language, code]] of [
        ...text.matchAll(/^```(js|tsx?)\n([^]*?)^```$/gm),
    ].entries()) {
        const name = `${basename(page, ".md")}-${index + 1}.${language}`;
        // Each is a module, even without an import.
        writeFileSync(join(folder, name), code + "\nexport {};\n");
        const isPage = /document|window|addEventListener\("click/.test(code);
        // Metro and Hermes have no `await` outside functions.
        const module = /"(react-native|expo)/.test(code) ? "es2020" : "es2022";
        isGood =
            compile(
                `${page}: snippet ${index + 1}`,
                { module, lib: isPage ? ["es2022", "dom"] : ["es2022"] },
                [
                    name,
                    "packages.d.ts",
                    ...(isPage ? [] : ["node.d.ts"]),
                    ...(isPage ? [] : ["console.d.ts"]),
                ],
            ) && isGood;
        count += 1;
    }
}
rmSync(folder, { recursive: true });
if (!isGood) process.exit(1);
console.log(`${count} snippets compile`);
