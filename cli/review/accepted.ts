import { isAccepted, type Risk, type RiskClass, textOfRisk } from "../consequences/risk";
import { listed, plainly, quote } from "../output/words";
import type { Review } from "./review";

/** An entry of the file of accepted risks. */
export interface Acceptance {
  /** `review.accepted.yaml:3` */
  readonly place: string;
  readonly class: RiskClass;
  /** `Monitor checkout-errors` */
  readonly object: string;
  /** `project/stack`; absent if only one stack has the risk. */
  readonly stack?: string | undefined;
  /** The sentence of the risk without the name; absent in an entry that accepts nothing yet. */
  readonly text?: string | undefined;
  readonly reason: string;
  /** The last day, in UTC: `2026-12-31`. */
  readonly until: string;
}

/** Any white space counts as one blank: a terminal wraps the sentence, and so may the file. */
export const onOneLine = (text: string) => text.trim().replace(/\s+/g, " ");

/** Sets the accepted risks of a report apart. An expired acceptance only names its date. */
export function withAccepted(report: Review, entries: readonly Acceptance[], now = new Date()): Review {
  const today = now.toISOString().slice(0, 10);
  const problems: string[] = [];
  const found = new Map<Risk, Risk["acceptance"]>();
  for (const entry of entries) {
    const { reason, until, place } = entry;
    const about = report.risks.filter((risk) => isAbout(entry, risk));
    const same = about.filter((risk) => onOneLine(textOfRisk(risk)) === entry.text);
    const problem = problemOf(entry, same, about, report);
    if (problem !== undefined) problems.push(`${place}: accepts nothing: ${problem}`);
    else for (const risk of same) found.set(risk, { reason, until, ...(until < today && { isExpired: true }) });
  }
  const all = report.risks.map((risk): Risk => ({ ...risk, ...(found.has(risk) && { acceptance: found.get(risk) }) }));
  const [risks, accepted] = [all.filter((risk) => !isAccepted(risk)), all.filter(isAccepted)];
  return {
    ...report,
    risks,
    ...(accepted.length + problems.length > 0 && { accepted: { risks: accepted, problems } }),
  };
}

const isAbout = (entry: Acceptance, { class: riskClass, kind, name, stack }: Risk) =>
  entry.class === riskClass && entry.object === onOneLine(`${kind} ${plainly(name)}`) && isOf(entry, stack);

const isOf = (entry: Acceptance, stack: string) => (entry.stack ?? stack) === stack;

/** Why an entry accepts nothing; undefined if it accepts a risk, or a stack that was not checked may have that risk. */
function problemOf(entry: Acceptance, same: readonly Risk[], about: readonly Risk[], { stacks }: Review) {
  const named = [...new Set(same.map(({ stack }) => quote(stack)))];
  if (named.length > 1) return `${listed(named)} have this risk. Write an entry with "stack" for each that you accept`;
  if (named.length === 1) return undefined;
  if (about.length > 0) {
    const why = entry.text === undefined ? "has no text" : "has the text of another risk";
    const texts = [...new Set(about.map((risk) => `text: ${JSON.stringify(onOneLine(textOfRisk(risk)))}`))];
    return `the entry ${why}. To accept the present risk and no later one, write ${texts.join(" or ")}`;
  }
  const possible = stacks.filter(({ stack }) => isOf(entry, stack));
  if (possible.some(({ isFailed, failures }) => isFailed || failures.length > 0)) return undefined;
  if (possible.length === 0) return `the stack ${quote(entry.stack ?? "")} is not reviewed`;
  return `${entry.object} has no risk of the class ${entry.class}. Remove the entry if the change is applied`;
}
