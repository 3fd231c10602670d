import type { Settings } from "../../dist/provider/client/settings.js";
import { token } from "./service.js";

/** Settings as one provider process has them, if a test takes the place of what reads them. */
export const settingsFor = (
  baseUrl: string,
  limits: Pick<Settings, "requestTimeoutSecs" | "retryBudgetSecs"> & Partial<Settings>,
): Settings => ({
  baseUrl,
  apiToken: token,
  validate: "preview",
  adopt: false,
  slugPrefix: "",
  onMissingDelete: "fail",
  secretMasks: [],
  knownValues: [],
  unknownValues: "warn",
  maxConcurrency: 16,
  allowInsecure: false,
  defaultLabels: {},
  defaultAnnotations: {},
  mapsSignature: undefined,
  ...limits,
});
