import * as obs from "pulumi-observability";
import { caseOf, cases, changed, newResource } from "./cases.js";

type Args = Readonly<Record<string, unknown>>;

/**
 * One of every kind, the log allocation referring to the dataset.
 * @param changes What changes of each kind's arguments, by the kind's name.
 */
export const everyKind =
  (changes: Readonly<Record<string, Args>> = {}) =>
  () => {
    const argsOf = (name: string) => changed(caseOf(name).args, changes[name] ?? {});
    for (const { kind } of cases)
      if (!kind.isSingleton && kind.name !== "Dataset") newResource(kind.name, `a-${kind.name}`, argsOf(kind.name));
    const dataset = new obs.Dataset("a-Dataset", argsOf("Dataset"));
    const budget = argsOf("LogAllocationConfig");
    const [first = {}] = budget.datasetAllocations as Args[]; // as the example has them
    new obs.LogAllocationConfig("budget", {
      ...budget,
      datasetAllocations: [{ ...first, datasetSlug: dataset.slug }],
    });
  };
