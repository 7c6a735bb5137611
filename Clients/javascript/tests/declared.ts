// The modules have the declared types.
import * as client from "../source/index.js";
import * as node from "../source/storage/file-storage.js";
import * as routing from "../source/routing/index.js";
import * as diagnostics from "../source/diagnostics/check.js";
import * as declaredDiagnostics from "../diagnostics.js";
import * as declaredNode from "../node.js";
import * as declaredRouting from "../routing.js";
import * as declared from "../waymark.js";

export const all: [
    typeof declared,
    typeof declaredRouting,
    typeof declaredNode,
    typeof declaredDiagnostics,
] = [client, routing, node, diagnostics];
