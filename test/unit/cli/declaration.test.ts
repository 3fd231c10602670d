import { expect, test } from "vitest";
import { declarationOf, type Surroundings } from "../../../dist/cli/commands/import/declaration.js";
import { Names } from "../../../dist/cli/program/names.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { maskTest } from "../../../dist/provider/values/secrets.js";

const declared = (live: Record<string, unknown>, more: Partial<Surroundings> = {}, kindName = "Monitor") => {
  const kind = kinds.find(({ name }) => name === kindName);
  if (kind === undefined) throw new Error(`no kind ${kindName}`);
  const defaults = { defaultLabels: { team: "checkout", env: "prod" }, defaultAnnotations: {} };
  const surroundings = { isMask: maskTest([]), keys: new Names([]), hasPrefix: false, defaults, ...more };
  return declarationOf(kind, { slug: "errors", name: "errors", ...live }, surroundings);
};

test("a program leaves out the labels that the provider adds; state records them", () => {
  const { item, recorded, added } = declared({ labels: { team: "checkout", env: "dev", page: "yes" } });
  expect(item.args).toEqual({ labels: { env: "dev", page: "yes" } });
  expect(recorded.labels).toEqual({ team: "checkout", env: "dev", page: "yes" });
  expect(added).toEqual([]);
  expect(declared({ labels: { team: "checkout", env: "prod" } }).item.args).toEqual({});
});

test("labels that the provider would add to an object are told", () => {
  expect(declared({ labels: { env: "dev" } }).added).toEqual(["labels.team"]);
  expect(declared({}, {}, "SLO").added).toEqual(["labels.team", "labels.env"]);
  expect(declared({ discard: true }, {}, "Notifier").added).toEqual([]);
});

test("the label that tells a resource's file stays", () => {
  const { item } = declared({ labels: { team: "checkout", env: "prod" } }, { groupBy: "team" });
  expect(item.args).toEqual({ labels: { team: "checkout" } });
});
