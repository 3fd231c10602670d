import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mask, type Service } from "@pulumi-observability/service";
import { expect, test } from "vitest";
import { facetsOf } from "../../dist/cli/program/facets.js";
import { variableFor } from "../../dist/cli/program/names.js";
import { longestName, namesFor } from "../../dist/cli/program/naming.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { objectToWire } from "../../dist/provider/wire/codec.js";
import { root, run } from "../package/project.js";
import { runCommand } from "../support/command.js";
import { isDeep, reportFigure } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { newTeams } from "../support/teams.js";
import { ask, ownService, token } from "../support/service.js";
import { corpus, type Made } from "./corpus.js";

test("of 1,500 objects with people's titles, few names are cut or numbered", () => {
  let odd = 0;
  const all = corpus(1_500);
  for (const kind of kinds) {
    const own = all.filter((each) => each.kind === kind && !kind.isSingleton);
    const titles = own.map(({ args }) => ({ text: args.name, facets: facetsOf(kind, args), slug: args.slug }));
    const names = namesFor(titles);
    expect(new Set(names).size).toBe(names.length);
    names.forEach((name, i) => {
      const title = (own[i]?.args.name ?? "").toLowerCase();
      expect(name.length).toBeLessThanOrEqual(longestName + 3);
      const isNumbered = names.includes(name.replace(/-\d+$/, "")) && /-\d+$/.test(name);
      const first = title.normalize("NFKD").match(/[a-z0-9]+/g) ?? [];
      const said = name.replaceAll("-", "");
      const isCut = !first.every((word) => said.includes(word));
      if (isNumbered || isCut) odd++;
    });
  }
  reportFigure(`names: ${all.length}, cut or numbered: ${odd}`);
  expect(odd / all.length).toBeLessThanOrEqual(0.02);
});

async function place(service: Service, all: readonly Made[]): Promise<void> {
  for (const { kind, args } of all) {
    const object = objectToWire(kind.root, args);
    const { status, body } = await ask(service, "POST", kind.family.post.path, { [kind.wire.one]: object });
    expect(status, `${JSON.stringify(object)}\n${JSON.stringify(body)}`).toBeLessThan(300);
  }
}

/** The TypeScript files of a folder and of those in it. */
const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true }).flatMap((name) => (String(name).endsWith(".ts") ? [String(name)] : []));

test.skipIf(!isDeep)(
  "an imported service is in files that people can read, of strict types, and its preview shows no change but secrets",
  { timeout: 900_000 },
  async () => {
    const service = await ownService();
    const all = corpus(1_500);
    await place(service, all);
    const { folders, run: pulumi, init } = newProject(service.url, "");
    const folder = folders.project;
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const imported = await runCommand(folder, ["import", "--out", ".", "--json"], {
      OBSERVABILITY_BASE_URL: service.url,
    });
    expect(imported.code, imported.stderr).toBe(0);

    const texts = sourcesOf(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
    for (const [name, text] of texts) {
      const lines = text.split("\n");
      expect(lines.length, name).toBeLessThanOrEqual(310);
      expect(lines.filter((line) => line.startsWith("import ")).length, name).toBeLessThanOrEqual(40);
      if (!name.endsWith("index.ts")) expect(lines[0], name).toMatch(/^\/\/ \d+ .*imported from http/);
    }
    const longest = Math.max(...texts.map(([, text]) => text.split("\n").length));
    reportFigure(`import: ${all.length} objects in ${texts.length} files, the longest of ${longest} lines`);
    const node = (file: string, ...args: string[]) => run(folder, ["node", join(root, "node_modules", file), ...args]);
    await node("typescript/bin/tsc", "-p", ".");
    expect(
      await node("prettier/bin/prettier.cjs", "--no-config", "--list-different", ...texts.map(([name]) => name)),
    ).toBe("");

    const done = async (...args: string[]) => {
      const { code, text } = await pulumi(args, {
        env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true", PULUMI_SKIP_CHECKPOINTS: "true" },
      });
      expect(code, text).toBe(0);
      return text;
    };
    expect((await init()).code).toBe(0);
    const { secrets, next } = JSON.parse(imported.stdout) as Imported;
    const values = secrets.flatMap((secret) => ["--secret", `${secret.key}=${valueOf(all, secret)}`]);
    await done("config", "set-all", ...values);
    await done(...(next.find((line) => line.startsWith("pulumi import")) ?? "").split(" ").slice(1));
    const masked = await maskedObjects(service);
    const changed = masked === 0 ? "" : `~ ${masked} to update\n +`;
    expect(await done("preview")).toMatch(new RegExp(`${changed}${all.length + 1 - masked} unchanged`));
    reportFigure(`import: first preview of ${all.length} objects changes ${masked}, whose secrets are masked`);
  },
);

/** The service's objects that show a mask in the place of a secret. */
async function maskedObjects(service: Service): Promise<number> {
  const { body } = await ask(service, "GET", "/api/v1/config/notifiers?page.max_size=1000");
  return Object.values(body)
    .flat()
    .filter((each) => JSON.stringify(each).includes(mask)).length;
}

test.skipIf(!isDeep)(
  "a service is imported as a repository of teams, whose first preview shows no change",
  { timeout: 900_000 },
  async () => {
    // In clear, because an update must set a masked secret.
    const service = await ownService({ showSecrets: true });
    const all = corpus(400);
    await place(service, all);
    const { home, env, secretsProvider } = await newTeams(service.url);
    const command = (...args: string[]) => runCommand(home, args, { ...env, ...tokens });
    const tokens: Record<string, string> = { OBSERVABILITY_API_TOKEN: token };
    const imported = await command("import", "--out", ".", "--teams", "--json");
    expect(imported.code, imported.stderr).toBe(0);
    const { secrets, next } = JSON.parse(imported.stdout) as Imported;
    for (const line of next) {
      const [, variable = ""] = /^read -rs (OBSERVABILITY_API_TOKEN_\w+) /.exec(line) ?? [];
      if (variable !== "") tokens[variable] = token;
    }
    for (const secret of secrets) tokens[variableFor(secret.key)] = valueOf(all, secret);
    for (const name of Object.keys(tokens)) {
      if (name !== "OBSERVABILITY_API_TOKEN") expect(next).toContain(`read -rs ${name} && export ${name}`);
    }
    await run(home, ["node", join(root, "node_modules/typescript/bin/tsc"), "-p", "."]);

    const brought = await command("teams", "import", "--secrets-provider", secretsProvider);
    expect(brought.code, brought.stdout + brought.stderr).toBe(0);
    const preview = await command("teams", "preview", "--expect-no-changes", "--json");
    expect(preview.code, preview.stdout + preview.stderr).toBe(0);
    const { teams } = JSON.parse(preview.stdout) as { teams: { name: string; counts: { same: number } }[] };
    expect(teams.reduce((sum, { counts }) => sum + counts.same, 0)).toBe(all.length);
    reportFigure(`import --teams: ${all.length} objects of ${teams.length} teams, all unchanged in the first preview`);

    // Nothing is brought in twice.
    const again = await command("teams", "import", "--team", teams[0]?.name ?? "");
    expect(again.stdout).toContain("imported 0 of ");
  },
);

interface Imported {
  readonly secrets: readonly NeededSecret[];
  readonly next: readonly string[];
}

interface NeededSecret {
  readonly key: string;
  readonly kind: string;
  readonly slug: string;
  readonly path: string;
}

/** The secret that a made object has. */
const valueOf = (all: readonly Made[], { kind, slug, path }: NeededSecret): string => {
  const made = all.find((each) => each.kind.name === kind && each.args.slug === slug);
  return path.split(".").reduce<any>((here, step) => here[step], made?.args);
};
