import { quote } from "../json.js";
import { type Mentions, rulesFor, type Shapes } from "./rules.js";

interface Share {
  readonly allocation?: { readonly percent_of_license?: number };
}

interface LogAllocationConfig {
  readonly dataset_allocations?: readonly (Share & { readonly dataset_slug?: string })[];
  readonly default_dataset?: Share;
}

// In floating point, shares like 33.3 + 33.3 + 33.4 can add up to slightly more than 100.
const tolerance = 1e-6;

export const logAllocationConfig: Shapes = {
  LogAllocationConfig: rulesFor<LogAllocationConfig>({
    check: (config, report) => {
      const { dataset_allocations: shares = [], default_dataset = {} } = config;
      const sum = [...shares, default_dataset].reduce(
        (total, { allocation }) => total + (allocation?.percent_of_license ?? 0),
        0,
      );
      if (sum > 100 + tolerance)
        report("", `allocates ${Number(sum.toFixed(6))} percent of the license, at most 100 are allowed`);

      const seen = new Set<string>();
      for (const { path, slug } of datasetsOf(config)) {
        if (slug !== "" && seen.has(slug)) report(path, `dataset ${quote(slug)} is allocated twice`);
        seen.add(slug);
      }
    },
  }),
  Allocation: {
    schema: { properties: { percent_of_license: { minimum: 0, maximum: 100, "x-expected": "0 to 100" } } },
  },
};

export const datasetMentions: Mentions = (config) =>
  // The cast holds: mentions are read from accepted resources.
  datasetsOf(config as LogAllocationConfig).map((mention) => ({ ...mention, kind: "Dataset" }));

function datasetsOf({ dataset_allocations = [] }: LogAllocationConfig) {
  return dataset_allocations.map(({ dataset_slug: slug = "" }, i) => ({
    path: `dataset_allocations[${i}].dataset_slug`,
    slug,
  }));
}
