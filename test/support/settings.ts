import { readSettings, type Settings } from "../../dist/provider/client/settings.js";
import { token } from "./service.js";

const byDefault = readSettings((name) => ({ baseUrl: "https://service.example.com", apiToken: token })[name]);

/** Settings as one provider process has them, if a test takes the place of what reads them. */
export const settingsFor = (
  baseUrl: string,
  limits: Pick<Settings, "requestTimeoutSecs" | "retryBudgetSecs"> & Partial<Settings>,
): Settings => ({ ...byDefault, baseUrl, ...limits });
