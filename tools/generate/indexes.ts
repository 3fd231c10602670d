import type { Kind } from "../../provider/schema/kind";
import { sourceFile } from "./source";

/** The registry: every kind by its file. */
export const registry = (files: readonly string[]): string =>
  sourceFile(
    "the files in provider/kinds",
    'import type { Kind } from "../schema/kind";',
    ...files.map((file) => `import { ${file} } from "./${file}";`),
    "",
    "/** Every kind of the interface. */",
    `export const kinds: readonly Kind[] = [${files.join(", ")}];`,
  );

/** The package's entry. */
export const packageIndex = (files: readonly string[]): string =>
  sourceFile(
    "the files in provider/kinds",
    ...files.map((file) => `export * from "./${file}.gen";`),
    'export { Provider, type ProviderArgs } from "./provider";',
    'export type { ResourceOptions } from "./options";',
    'export { burnRates } from "./burnRates";',
    'export { businessHours, type Hours, outOfHours, weekdays } from "./schedules";',
    'export * as types from "./types.gen";',
  );

/** The plain types of all kinds, by name: what a rule of a standard sees. */
export const resourceTypes = (kinds: ReadonlyMap<string, Kind>): string =>
  sourceFile(
    "the files in provider/kinds",
    ...[...kinds].map(([file, { name }]) => `import type { Get${name}Result } from "../${file}.gen";`),
    "",
    'type Declared<Result> = Partial<Omit<Result, "createdAt" | "updatedAt">>;',
    "",
    "/** The arguments of every kind, without outputs. */",
    "export interface Resources {",
    ...[...kinds.values()].map(({ name }) => `  readonly ${name}: Declared<Get${name}Result>;`),
    "}",
  );

/** The package's version as code: the path to package.json differs between the sources and the compiled files. */
export const versionModule = (version: string): string =>
  sourceFile("package.json", "/** The package's version. */", `export const version = "${version}";`);
