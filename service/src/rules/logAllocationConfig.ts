import { quote } from "../json.js";
import { Problems, rulesFor } from "./rules.js";

interface Share {
  readonly allocation?: { readonly percent_of_license?: number };
}

interface LogAllocationConfig {
  readonly dataset_allocations?: readonly (Share & { readonly dataset_slug?: string })[];
  readonly default_dataset?: Share;
}

// In floating point, shares like 33.3 + 33.3 + 33.4 can add up to slightly more than 100.
const tolerance = 1e-6;

export const logAllocationConfig = rulesFor<LogAllocationConfig>({
  check: (config) => {
    const problems = new Problems();
    const shares = sharesOf(config);
    for (const { path, percent } of shares) {
      if (percent < 0 || percent > 100) problems.add(path, `expected 0 to 100, got ${percent}`);
    }
    const sum = shares.reduce((total, { percent }) => total + percent, 0);
    if (sum > 100 + tolerance)
      problems.add("", `allocates ${Number(sum.toFixed(6))} percent of the license, at most 100 are allowed`);

    const seen = new Set<string>();
    for (const { path, slug } of datasetsOf(config)) {
      problems.require(path, slug);
      if (slug && seen.has(slug)) problems.add(path, `dataset ${quote(slug)} is allocated twice`);
      seen.add(slug);
    }
    return problems.found;
  },

  mentions: (config) => datasetsOf(config).map(({ path, slug }) => ({ path, slug, kind: "Dataset" })),
});

function sharesOf({ dataset_allocations = [], default_dataset = {} }: LogAllocationConfig) {
  return [
    ...dataset_allocations.map((share, i) => ({ share, path: `dataset_allocations[${i}]` })),
    { share: default_dataset, path: "default_dataset" },
  ].map(({ share, path }) => ({
    path: `${path}.allocation.percent_of_license`,
    percent: share.allocation?.percent_of_license ?? 0,
  }));
}

function datasetsOf({ dataset_allocations = [] }: LogAllocationConfig) {
  return dataset_allocations.map(({ dataset_slug: slug = "" }, i) => ({
    path: `dataset_allocations[${i}].dataset_slug`,
    slug,
  }));
}
