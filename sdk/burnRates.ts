import type { BurnRateAlert } from "./types.gen";

const page = (window: string, budget: number): BurnRateAlert => ({ window, budget, severity: "critical" });
const ticket = (window: string, budget: number): BurnRateAlert => ({ window, budget, severity: "warn" });

/**
 * Well-known burn-rate alerts, for `definition.burnRateAlertingConfig` of an SLO: `burnRates.standard`. Each is a copy
 * to change as you like.
 */
export const burnRates = {
  /**
   * Two pages and a ticket: 2 % of the budget in 1 h, 5 % in 6 h, 10 % in 3 d. Source: The Site Reliability Workbook,
   * chapter "Alerting on SLOs", recommended parameters
   * (https://sre.google/workbook/alerting-on-slos/#recommended_parameters_for_an_slo_based_a).
   */
  get standard(): BurnRateAlert[] {
    return [page("1h", 2), page("6h", 5), ticket("3d", 10)];
  },
  /**
   * Two pages and two tickets: as `standard`, and 10 % in 1 d. Source: sloth's windows for 28 and 30 days
   * (https://github.com/slok/sloth, internal/alert/windows).
   */
  get fourWindows(): BurnRateAlert[] {
    return [page("1h", 2), page("6h", 5), ticket("1d", 10), ticket("3d", 10)];
  },
  /** The two pages of `standard`, for objectives that no one can look at between pages. */
  get pagesOnly(): BurnRateAlert[] {
    return [page("1h", 2), page("6h", 5)];
  },
};
