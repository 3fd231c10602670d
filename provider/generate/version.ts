import { header, lineComment } from "./source";

/** The package's version as code: its manifest lies at another distance from sources and from what is compiled. */
export function versionModule(version: string): string {
  return [
    header(lineComment, "package.json"),
    "",
    "/** The package's version. */",
    `export const version = "${version}";`,
    "",
  ].join("\n");
}
