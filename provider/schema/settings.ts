import { boolean, type Field, integer, list, map, MapField, shape, string, type ValueOf } from "./field";

const fields = {
  baseUrl: string("The URL of the configuration service.", {
    unit: "URL, https except on this machine",
    required: "always",
  }),
  apiToken: string("The API token, sent in the header `API-Token`.", { secret: "value", required: "always" }),
  validate: string(
    "When the service validates configurations with a dry run: in previews, in previews and updates, or never. " +
      "With `never`, a preview sends no request.",
    { values: ["preview", "always", "never"], defaultValue: "preview" },
  ),
  adopt: string(
    "Whether a create adopts an object that exists under its slug: never, only if the object has the declared values, " +
      "or always, with an update. Also a resource option.",
    { values: [false, "identical", true], defaultValue: false },
  ),
  slugPrefix: string("The prefix of slugs that are derived from the Pulumi resource name.", {
    default: "none",
    defaultValue: "",
  }),
  onMissingDelete: string(
    "What a delete does if the service has no such operation: fail, or keep the object and print a message.",
    { values: ["fail", "retain"], defaultValue: "fail" },
  ),
  secretMasks: list(string(""), "Additional masks that the service returns instead of a secret.", {
    default: "none; `**REDACTED**` and three or more `*` are always recognized",
    defaultValue: [],
  }),
  knownValues: list(
    string(""),
    "Values that the package shouldn't warn about, although they are unknown or look like mistakes.",
    {
      default: "none",
      defaultValue: [],
    },
  ),
  unknownValues: string("What a preview does about values that are unknown or look like mistakes: warn, or fail.", {
    values: ["warn", "fail"],
    defaultValue: "warn",
  }),
  maxConcurrency: integer("The maximum number of requests in flight.", { defaultValue: 16 }),
  requestTimeoutSecs: integer("The timeout of one request.", { unit: "seconds", defaultValue: 30 }),
  retryBudgetSecs: integer("The maximum time of one request with all its retries.", {
    unit: "seconds",
    defaultValue: 60,
  }),
  defaultLabels: map("Labels added to every resource that has labels. A key that the resource sets wins.", {
    default: "none",
    defaultValue: {},
  }),
  defaultAnnotations: map(
    "Annotations added to every resource that has annotations. A key that the resource sets wins.",
    {
      default: "none",
      defaultValue: {},
    },
  ),
  allowInsecure: boolean("Allows plain HTTP to another machine.", { defaultValue: false }),
};

/** The provider's settings. The arguments of `Provider`, stack config and environment variables share these fields. */
export const settings = shape("Provider", "The configuration service, and how the provider uses it.", fields);

/** The settings that are maps. A program may give their entries as outputs, so the classes add them to arguments. */
export const mapSettings: readonly string[] = Object.entries(fields).flatMap(([name, field]: [string, Field]) =>
  field instanceof MapField ? [name] : [],
);

export type SettingValues = { readonly [Name in keyof typeof fields]: ValueOf<(typeof fields)[Name]> };
