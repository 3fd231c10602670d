import { quote } from "../json.js";
import { type Mentions, type Read, rule, type Rules } from "./rules.js";

interface LogAllocationConfig {
  dataset_allocations: { dataset_slug: string; allocation: { percent_of_license: number } }[];
  default_dataset: { allocation: { percent_of_license: number } };
}

// In floating point, shares like 33.3 + 33.3 + 33.4 can add up to slightly more than 100.
const tolerance = 1e-6;

export const logAllocationConfig: Rules = {
  LogAllocationConfig: rule<LogAllocationConfig>((config, report) => {
    const { dataset_allocations: shares = [], default_dataset = {} } = config;
    const percents = [...shares, default_dataset].map(({ allocation }) => allocation?.percent_of_license ?? 0);
    const sum = percents.reduce((total, percent) => total + percent, 0);
    // A share above 100 is reported at its own place.
    if (sum > 100 + tolerance && percents.every((percent) => percent <= 100))
      report("dataset_allocations", `shares add up to ${Number(sum.toFixed(6))} percent; the maximum is 100`);

    const seen = new Set<string>();
    for (const { path, slug } of datasetsOf(config)) {
      if (slug !== "" && seen.has(slug)) report(path, `dataset ${quote(slug)} is allocated twice`);
      seen.add(slug);
    }
  }),
};

export const datasetMentions: Mentions = (config) =>
  // The cast is safe: mentions are read from accepted resources.
  datasetsOf(config as Read<LogAllocationConfig>).map((mention) => ({ ...mention, kind: "Dataset" }));

function datasetsOf({ dataset_allocations = [] }: Read<LogAllocationConfig>) {
  return dataset_allocations.map(({ dataset_slug: slug = "" }, i) => ({
    path: `dataset_allocations[${i}].dataset_slug`,
    slug,
  }));
}
