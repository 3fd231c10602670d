import { header, lineComment } from "./source";

/** The package's version as code: the path to package.json differs between the sources and the compiled files. */
export function versionModule(version: string): string {
  return [
    header(lineComment, "package.json"),
    "",
    "/** The package's version. */",
    `export const version = "${version}";`,
    "",
  ].join("\n");
}
