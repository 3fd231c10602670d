import { createRequire } from "node:module";
import type * as state from "@codemirror/state" with { "resolution-mode": "require" };
import type { LRParser } from "@lezer/lr" with { "resolution-mode": "require" };
import type * as checking from "@prometheus-io/codemirror-promql/dist/cjs/parser/parser.js";

// The checker is CommonJS, and takes documents and trees of CommonJS packages.
const require = createRequire(import.meta.url);
const { EditorState } = require("@codemirror/state") as typeof state;
const { Parser } = require("@prometheus-io/codemirror-promql/dist/cjs/parser/parser.js") as typeof checking;

export const { parser } = require("@prometheus-io/lezer-promql") as { readonly parser: LRParser };

/** Prometheus's checker for editors. */
export const checkerOf = (text: string) => new Parser(EditorState.create({ doc: text }));
