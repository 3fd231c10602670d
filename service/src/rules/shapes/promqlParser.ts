import { createRequire } from "node:module";
import type { LRParser } from "@lezer/lr" with { "resolution-mode": "require" };

// The checker is CommonJS, and takes trees of CommonJS packages.
const require = createRequire(import.meta.url);
const { parser } = require("@prometheus-io/lezer-promql") as { readonly parser: LRParser };

// Without buffers, the way from a node to its children takes the same time at any depth.
const strict = parser.configure({ strict: true, bufferLength: 0 });

export type Tree = ReturnType<typeof strict.parse>;

/** @throws SyntaxError with the position at the end of its message. */
export function parse(text: string): Tree {
  // Internal, so not in the types: after 300 operators of a chain, the parser would take the rest for an error.
  const steps = strict.startParse(text) as ReturnType<typeof strict.startParse> & { bigReductionCount: number };
  for (;;) {
    steps.bigReductionCount = 0;
    const tree = steps.advance();
    if (tree !== null) return tree;
  }
}

export type SyntaxNode = Tree["topNode"];

/** Whether a text is PromQL by its syntax. */
export function isRead(text: string): boolean {
  try {
    return parse(text).length > 0;
  } catch {
    return false;
  }
}
