import { edits, known, named, orSilent } from "./trial.js";

/** The datasets that exist at each service. */
export const datasetSlugs = ["checkout-logs", "payments-logs", "audit-logs"];

const errorsFirst = {
  highPriorityFilters: [{ query: 'severity = "ERROR"' }, { query: 'severity = "FATAL"' }],
  lowPriorityFilters: [{ query: 'severity = "DEBUG"' }],
};
const share = (datasetSlug: string, percentOfLicense: number) => ({ datasetSlug, allocation: { percentOfLicense } });
const checkout = { ...share("checkout-logs", 40), priorities: errorsFirst };
const payments = share("payments-logs", 20);

export const allocation = edits("LogAllocationConfig", {
  datasetAllocations: [checkout, payments],
  defaultDataset: {
    allocation: { percentOfLicense: 30 },
    priorities: { highPriorityFilters: [{ query: 'audit = "yes"' }] },
  },
});

type Filter = { query: string };
const priorities = (change: { highPriorityFilters?: Filter[]; lowPriorityFilters?: Filter[] }) => ({
  datasetAllocations: [{ ...checkout, priorities: { ...errorsFirst, ...change } }, payments],
});
const worse = ["laxer", "unclear"] as const;

export const logAllocation = [
  allocation(
    "a dataset's share is halved",
    { datasetAllocations: [{ ...checkout, allocation: { percentOfLicense: 20 } }, payments] },
    named("budget-taken", "laxer", "checkout-logs", "40", "20"),
  ),
  allocation(
    "a dataset's share grows",
    { datasetAllocations: [checkout, share("payments-logs", 25)] },
    named("budget-taken", "stricter", "payments-logs", "20", "25"),
  ),
  allocation(
    "a dataset's share is forgotten, and so is 0",
    { datasetAllocations: [checkout, { datasetSlug: "payments-logs" } as never] },
    named("budget-taken", "laxer", "payments-logs", "20"),
  ),
  allocation(
    "a dataset is left out",
    { datasetAllocations: [checkout] },
    named("budget-taken", "laxer", "payments-logs"),
  ),
  allocation(
    "a dataset takes another one's place",
    { datasetAllocations: [checkout, share("audit-logs", 20)] },
    named("budget-taken", ["laxer", "unclear"], "payments-logs"),
    orSilent(named("budget-taken", "stricter", "audit-logs")),
  ),
  allocation(
    "the rest has a smaller share",
    { defaultDataset: { allocation: { percentOfLicense: 10 } } },
    named("budget-taken", "laxer", "30", "10"),
  ),
  allocation("the rest has no share", { defaultDataset: undefined }, named("budget-taken", "laxer", "30")),
  allocation(
    "another dataset has precedence",
    { datasetAllocations: [payments, checkout] },
    named("precedence-changed", "unclear", "checkout-logs", "payments-logs"),
  ),
  allocation(
    "errors are not kept first any more",
    priorities({ highPriorityFilters: [{ query: 'severity = "FATAL"' }] }),
    named("precedence-changed", worse, "ERROR"),
  ),
  allocation(
    "warnings are dropped first, too",
    priorities({ lowPriorityFilters: [{ query: 'severity = "DEBUG"' }, { query: 'severity = "WARN"' }] }),
    named("precedence-changed", worse, "WARN"),
  ),
  allocation(
    "information is dropped first in place of debugging",
    priorities({ lowPriorityFilters: [{ query: 'severity = "INFO"' }] }),
    named("precedence-changed", "unclear", "DEBUG", "INFO"),
  ),
  allocation(
    "all priorities of a dataset are removed",
    { datasetAllocations: [share("checkout-logs", 40), payments] },
    named("precedence-changed", worse, "checkout-logs"),
  ),
  allocation(
    "the rest keeps nothing first",
    { defaultDataset: { priorities: undefined } },
    named("precedence-changed", worse, "audit"),
  ),
  allocation.full("the log allocation is removed", { before: {} }, {}, named("removed", "laxer")),
  // Two changes at once.
  allocation(
    "budget moves from one dataset to another, which gets precedence",
    { datasetAllocations: [share("payments-logs", 45), { ...checkout, allocation: { percentOfLicense: 15 } }] },
    named("budget-taken", "laxer", "checkout-logs", "40", "15"),
    orSilent(named("budget-taken", "stricter", "payments-logs")),
    named("precedence-changed", "unclear", "payments-logs"),
  ),
  // What means nothing, all in one.
  allocation.from({ datasetAllocations: [checkout, payments, share("audit-logs", 0)] })(
    "a share of 0 is left out, empty priorities are written, a slug comes from a resource",
    {
      datasetAllocations: [
        { priorities: errorsFirst, allocation: { percentOfLicense: 40 }, datasetSlug: known("checkout-logs") },
        { ...payments, priorities: { lowPriorityFilters: [] } } as never,
        { datasetSlug: "audit-logs", allocation: {} } as never,
      ],
    },
  ),
];
