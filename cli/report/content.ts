import type { Schedule } from "../../sdk/types.gen";
import type { IncidentsText } from "../backtest/incidentText";
import type { Chart } from "../backtest/chart";
import type { ChangeReview } from "../review/review";
import type { AlertingText } from "../consequences/kinds/rules";
import type { Risk } from "../consequences/risk";

/** The JSON document in a report, from which the report is drawn. It contains no secrets. */
export interface ReportContent {
  /** The stacks or the URL of the service. */
  readonly title: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What could not be read or checked, and broken standards. */
  readonly problems: readonly string[];
  /** Messages of the provider, and what is not in the report. */
  readonly notes: readonly string[];
  /** All monitors and SLOs, also those that a change removes. */
  readonly rows: readonly Row[];
  readonly notifiers: readonly NotifierEntry[];
  readonly gaps: readonly AlertingGap[];
  /** With `--incidents`. */
  readonly incidents?: IncidentsText;
  /** The changes of resources of all kinds, worst first; absent if only the service was read. */
  readonly changes?: readonly ReportChange[];
}

/** What an entry is about. */
interface Declared {
  /** The slug, or the Pulumi name if the slug is known only after the update. */
  readonly slug: string;
  /** The stack, `project/stack`, or the URL of the service. */
  readonly source: string;
}

export interface Row extends Declared {
  readonly kind: string;
  /** The URL of its service; `""` if a preview doesn't show it. */
  readonly service: string;
  /** Its declaration, or the object in the service. Of a removed row: what was last applied. */
  readonly now: Alerting;
  /** The declaration that was last applied, if it is another one. */
  readonly before?: Alerting;
  /** The index of the row's change in `changes`. */
  readonly change?: number;
}

/** One side of a row. Values that are secret or not known yet are words in parentheses. */
export interface Alerting extends Omit<AlertingText, "alerts"> {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly policy?: string;
  /** With `--routes`: `critical: search-pd`. */
  readonly notified?: readonly string[];
  /**
   * The values of the label that names a notifier, in an SLO also those of its alerts, with what that notifier delivers
   * to, if it is in the report. `unrouted` stands for neither label nor policy.
   */
  readonly notifiers: readonly (readonly [slug: string, receivers?: string])[];
  /** Absent if it is always active. */
  readonly schedule?: Schedule | "hidden";
  /** Whether a part is secret or known only after the update. */
  readonly isIncomplete?: true;
}

export interface NotifierEntry extends Declared {
  readonly service: string;
  /** The receivers with the addresses that are not secret: `email: "a@example.com"`. */
  readonly receivers: readonly string[];
  /** Why it delivers nothing. */
  readonly problem?: string;
  /** The index of its change in `changes`. */
  readonly change?: number;
  /** Whether the change may lead to other receivers, which may be secret. */
  readonly isChanged?: true;
}

/** A place where notifications are missing or data is unused. */
export interface AlertingGap extends Declared {
  readonly kind: string;
  readonly text: string;
  /** Whether the change causes it; absent if that is not known. */
  readonly isNew?: boolean;
}

/** A change of a review, whose operation is absent if it only depends on another change. */
export interface ReportChange extends Omit<ChangeReview, "op" | "isDeleted">, Partial<Pick<ChangeReview, "op">> {
  readonly source: string;
  readonly risks: readonly Risk[];
  /** With `--backtest`: its series, and when it fires. */
  readonly chart?: Chart;
}

/** Whether it is the notifier that a label of this service names: another service may have another one under its slug. */
export const isNamed = (entry: NotifierEntry, slug: string, service: string) =>
  entry.slug === slug && (entry.service === service || service === "");

export const receiversText = ({ receivers, problem, isChanged }: NotifierEntry) =>
  `${[...receivers, ...(problem === undefined ? [] : [problem])].join(", ") || "no receiver"}${isChanged ? " (changed)" : ""}`;

export const unrouted = "(not known)";

/** Whether a value is the words for a hidden one. No slug begins like them. */
export const isHiddenWord = (text: string) => text.startsWith("(");
