import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../tools/project.mjs";

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Readonly<Record<string, Locked>>;
};

/** The places where Node looks for a dependency of the package at `path`, nearest first. */
function places(path: string, name: string): string[] {
  const folders = path.split(/(?=node_modules\/)/).map((_, i, parts) => parts.slice(0, parts.length - i).join(""));
  return [...folders.map((folder) => `${folder.replace(/\/?$/, "/")}node_modules/${name}`), `node_modules/${name}`];
}

// npm leaves out of the lock what its registry does not serve, and `npm ci` then refuses the lock, in a clean clone only.
it("the lock names every platform's variant of a dependency, for npm ci refuses it otherwise", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places(path, name).some((place) => place in packages))
      .map((name) => `${path} wants ${name}`),
  );
  expect(missing).toEqual([]);
});
