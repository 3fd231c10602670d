import { EditorState } from "@codemirror/state";
import type { LRParser } from "@lezer/lr";
import { Parser } from "@prometheus-io/codemirror-promql/dist/cjs/parser/parser";

// Its typings describe an ES module; what `require` loads is CommonJS.
export const { parser } = require("@prometheus-io/lezer-promql") as { readonly parser: LRParser };

/** Prometheus's checker for editors. */
export const checkerOf = (text: string) => new Parser(EditorState.create({ doc: text }));
