import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { loadStandards } from "../../../dist/cli/commands/review/standards.js";
import { merge } from "../../../dist/cli/commands/teams/command.js";
import { Folder } from "../../../dist/cli/program/folder.js";
import { readPreview } from "../../../dist/cli/pulumi/previews.js";
import { FileSeries } from "../../../dist/cli/series/fileSeries.js";
import { ownFolder } from "../../support/folders.js";

test.each<[string, (path: string) => unknown]>([
  ["series.json", (path) => FileSeries.open([path])],
  ["preview.json", (from) => readPreview({ from })],
  ["report.json", (path) => merge([path], true)],
  ["observability.standards.js", loadStandards],
  ["pulumi-observability.json", (path) => new Folder(dirname(path))],
])("%s with a byte that is not UTF-8 is an error that names the file and the line", async (name, read) => {
  const path = join(ownFolder(), name);
  // The first line has the character that such a byte would become.
  writeFileSync(path, Buffer.concat([Buffer.from('{ "a": "\ufffd",\n'), Buffer.from('"b": "é" }', "latin1")]));
  const fails = Promise.resolve().then(() => read(path));
  await expect(fails).rejects.toThrow(new RegExp(`"${path}".* line 2 isn't valid UTF-8`));
});
