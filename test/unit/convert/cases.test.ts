import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { convert } from "../../../dist/cli/commands/convert/convert.js";
import { type ConfigSecret, withSecrets } from "../../../dist/cli/program/item.js";

// `cases/<format>.yaml` has what is converted, `cases/<format>.snap.md` what becomes of it. A case begins at a document
// with a title, which is a comment, and is converted by itself. `npm test -- test/unit/convert/cases --update` writes the
// snapshots; their difference is the review.

const folder = join(import.meta.dirname, "cases");
const formats = readdirSync(folder).flatMap((name) => /^(\w+)\.yaml$/.exec(name)?.[1] ?? []);

const shown = ({ key, value }: ConfigSecret) =>
  `secret ${key}${value === undefined ? ", not in the file" : `: ${value}`}`;

/** What becomes of a case, as Markdown. */
function outcomeOf(text: string): string {
  const { items, rejected, losses } = convert([{ path: "case.yaml", text }]);
  return [
    `## ${text.slice(2, text.indexOf("\n"))}\n`,
    ...items.flatMap(({ kind, name, args, comments }) => [
      `${kind.name} \`${name}\`:\n\n\`\`\`yaml`,
      ...comments.filter((each) => !losses.some(({ text }) => text === each)).map((each) => `# ${each}`),
      ...Object.entries(withSecrets(args, shown) as object).map(([key, value]) => `${key}: ${oneLine(value).trim()}`),
      "```\n",
    ]),
    ...rejected.map(({ line, name, reason }) => `- Line ${line}, ${name ?? "no name"}, is rejected: ${reason}`),
    ...losses.map(
      ({ line, item, text, hasEffect }) => `- Line ${line}, ${item}, ${hasEffect ? "loses" : "reports"}: ${text}`,
    ),
    "",
  ].join("\n");
}

const oneLine = (value: unknown) =>
  stringify(value, {
    collectionStyle: "flow",
    singleQuote: false,
    doubleQuotedMinMultiLineLength: 1_000,
    lineWidth: 0,
  });

const casesOf = (format: string) => readFileSync(join(folder, `${format}.yaml`), "utf8").split(/^---\n(?=# )/m);

test.each(formats)("the cases of %s are converted as their snapshot shows", async (format) => {
  const text = `# What becomes of the cases in ${format}.yaml\n\n${casesOf(format).map(outcomeOf).join("\n")}`;
  await expect(text).toMatchFileSnapshot(join(folder, `${format}.snap.md`));
});

test.each(formats)(
  "documents of %s in several files, in any order, become the same resources as in one file",
  (format) => {
    const resourcesOf = (texts: readonly string[], isReversed = false) => {
      const files = texts.map((text, i) => ({ path: `${i}.yaml`, text }));
      const { items } = convert(isReversed ? files.reverse() : files);
      return items.map(({ name, args }) => ({ name, args })).sort((one, other) => (one.name < other.name ? -1 : 1));
    };
    for (const text of casesOf(format)) {
      expect(resourcesOf(text.split("---\n"))).toEqual(resourcesOf([text]));
      expect(resourcesOf(text.split("---\n"), true)).toEqual(resourcesOf([text]));
    }
  },
);
