import { Problems, rulesFor } from "./rules.js";

interface CloudxMetricsIntegration {
  readonly principal?: { readonly client_id?: string; readonly tenant_id?: string };
}

export const cloudxMetricsIntegration = rulesFor<CloudxMetricsIntegration>({
  check: ({ principal }) => {
    const problems = new Problems();
    problems.require("principal.client_id", principal?.client_id);
    problems.require("principal.tenant_id", principal?.tenant_id);
    return problems.found;
  },
});
