"use strict";

// Loaded first into each provider process of the tests, which are hundreds. Pulumi's SDK loads there what only programs
// need, and that is more than half of the process's start. With this, it is loaded when it is first used.

/** @typedef {(this: unknown, request: string, ...rest: unknown[]) => any} Load */

/** @type {{ _load: Load }} */
const Module = /** @type {any} */ (require("node:module")); // `_load` is internal, so not in the types.

const late = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;

/** @type {Load} */
Module._load = function (request, ...rest) {
  if (!late.has(request)) return load.call(this, request, ...rest);
  const real = () => load.call(this, request, ...rest);
  return new Proxy(
    {},
    {
      get(_, key) {
        // Asked by whoever imports it, before it is used.
        if (key === "__esModule") return true;
        const found = real();
        return key === "default" && !found.__esModule ? found : found[key];
      },
      has: (_, key) => key in real(),
    },
  );
};
