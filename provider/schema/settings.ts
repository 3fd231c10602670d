import { boolean, integer, list, shape, string } from "./field";

/** The provider's settings. The arguments of `Provider`, stack config and environment variables share these fields. */
export const settings = shape("Provider", "Where the configuration service is, and how the provider treats it.", {
  baseUrl: string("The address of the configuration service.", {
    unit: "URL, https except on this machine",
    required: "always",
  }),
  apiToken: string("The API token, sent in the header `API-Token`.", { secret: "value", required: "always" }),
  validate: string(
    "When configurations are validated by the service (dry run): in previews, in previews and updates, or never. " +
      "With `never` a preview sends no request.",
    { values: ["preview", "always", "never"], default: "preview" },
  ),
  adopt: string(
    "Whether a create takes over an object that exists under its slug: never, only if it already says what would " +
      "be written, or always, updating it. Also a resource option.",
    { values: [false, "identical", true], default: "false" },
  ),
  slugPrefix: string("Put before the Pulumi resource name if a slug is derived from it.", { default: "none" }),
  onMissingDelete: string(
    "What deleting does if the service has no such operation: fail, or leave the object there and say so.",
    { values: ["fail", "retain"], default: "fail" },
  ),
  secretMasks: list(string(""), "Further texts that the service answers in place of a secret.", {
    default: "`**REDACTED**` and runs of three or more `*` are always known",
  }),
  maxConcurrency: integer("How many requests are in flight at most.", { default: "16" }),
  requestTimeoutSecs: integer("How long one request may take.", { unit: "seconds", default: "30" }),
  retryBudgetSecs: integer("How long one request may take with all its repeats.", { unit: "seconds", default: "60" }),
  allowInsecure: boolean("Allows plain http to a host that is not this machine.", { default: "false" }),
});
