import { isRejection } from "../../../provider/client/failures";
import { ApiError, UnexpectedAnswerError } from "../../../provider/client/errors";
import { lookUp, orThrow } from "../../../provider/lifecycle/objects/lookUp";
import { Target } from "../../../provider/lifecycle/objects/target";
import { valueAt } from "../../../provider/schema/walk";
import { leaves } from "../../../provider/values/leaves";
import { isComparable, isExact, isSameTime } from "../../../provider/base/sameTime";
import { fromWire } from "../../../provider/wire/codec";
import { listed } from "../../output/words";
import type { ProbedKind, Writes } from "./operations";
import { type DoctorFinding, type Probe, type Result, shows } from "./probe";

/** What the checks have to go by. */
interface Evidence {
  readonly probe: Probe;
  readonly seen: readonly ProbedKind[];
  readonly writes: Writes;
}

const answers = "docs/limits.md#answers-that-differ-from-the-api-spec";
const noTimes = "docs/limits.md#no-creation-times-or-no-read-access";
const masks = "docs/limits.md#masked-secrets";
const noObject = shows("unknown", "not tried: the service shows no object");

/** A line for each check. */
const checks: Readonly<Record<string, (evidence: Evidence) => Promise<Result> | Result>> = {
  answers({ probe, seen }) {
    const { kind, unusable } = seen.find((each) => each.unusable !== undefined) ?? {};
    if (kind === undefined) return shows("ok", "have the form of the API spec");
    return shows("unusable", probe.reason(`read ${kind.manyTitle}`, unusable), "Previews and refreshes fail", answers);
  },
  async filters({ probe, seen }) {
    const { kind, first } = seen.find((each) => each.first !== undefined) ?? {};
    if (kind === undefined) return noObject;
    const { answer, error } = await probe.ask(() => probe.service.filtering(kind, String(first?.slug)));
    if (answer === undefined) {
      const level = isRejection(error) ? "unusable" : "unknown";
      return shows(level, probe.reason(`filter ${kind.manyTitle}`, error), "Objects can't be looked up", answers);
    }
    if (answer === "honored") return shows("ok", "work");
    const how = answer === "incomplete" ? "leave out an object that matches" : answer;
    return shows("missing", how, "Each look-up of a missing object reads the whole list", answers);
  },
  async pages({ probe, seen }) {
    const fails = (what: string, meaning: string) => shows("unusable", what, meaning, answers);
    const filled = seen.filter(({ first }) => first !== undefined);
    const { kind, page, first } = filled.find(({ page }) => page?.nextToken !== "") ?? filled[0] ?? {};
    if (kind === undefined || page === undefined) return noObject;
    const whole = await probe.ask(() => firstPages(probe.service.pages(kind)));
    if (whole.error !== undefined) {
      const reason = probe.reason(`read all ${kind.manyTitle}`, whole.error);
      return fails(reason, "import, drift and updates of many resources fail");
    }
    if (page.nextToken === "") return shows("unknown", "not tried: no list has a second page");
    const { answer } = await probe.ask(() => probe.service.page(kind, [], page.nextToken, 1));
    if (answer?.objects.every(({ slug }) => slug !== first?.slug) === true) return shows("ok", "work");
    return fails("the second page fails, or repeats the first one", "Existing objects look deleted");
  },
  "creation times"({ seen }) {
    const times = seen.flatMap(({ object }) => (object === undefined ? [] : [object.created_at]));
    if (times.length === 0) return noObject;
    if (!times.every(isComparable)) return shows("unusable", "can't be compared", "Every look-up fails", noTimes);
    if (!times.some((time) => isSameTime(time, time) === true))
      return shows("missing", "not shown", "The stack updates and deletes objects that someone recreated", noTimes);
    if (times.some(isExact)) return shows("ok", "in milliseconds");
    const meaning = "Two objects may have the same time. Use one spelling of baseUrl in all providers";
    return shows("missing", "in whole seconds", meaning, "docs/limits.md#creation-times-in-whole-seconds");
  },
  secrets({ probe: { run }, seen }) {
    const all = seen.flatMap(({ kind, object }) => {
      const shown = leaves(kind.root, object && fromWire(kind.root, object));
      return shown.filter(({ field: { options }, value }) => options.secret === "value" && value !== "");
    });
    if (all.length === 0) return shows("unknown", "not tried: no object shows a secret");
    if (all.every(({ field, value }) => run.isMask(field, value)))
      return shows("note", "masked", "drift and --refresh don't detect a secret that someone changed", masks);
    const meaning = "If the service masks secrets in a form of its own, add the mask to observability:secretMasks";
    return shows("note", "shown", meaning, masks);
  },
  async "free slugs"({ probe, seen, writes: { knowsFree } }) {
    const isShown = ({ kind: { isSingleton, readsByList, operations }, verbs }: ProbedKind) =>
      !isSingleton && !readsByList && (verbs.read === "yes" || operations.read.described);
    const { kind } = seen.find(isShown) ?? {};
    const look = kind && (await probe.ask(() => lookUp(probe.target(kind), { pages: "none" }).then(orThrow)));
    const { error } = look ?? {};
    if ((error instanceof ApiError && error.status !== 403) || error instanceof UnexpectedAnswerError) {
      const meaning = "New resources fail, and so do refreshes and deletes of objects that no longer exist";
      return shows("unusable", probe.reason("look up a free slug", error), meaning, answers);
    }
    if (knowsFree === undefined) return shows("unknown", "not tried: no dry run was possible");
    if (knowsFree) return shows("ok", "recognized");
    const meaning = 'New resources of the kinds that a PUT creates fail with "already exists"';
    return shows("missing", "look taken", meaning, answers);
  },
  async "taken slugs"({ probe, seen, writes }) {
    const { kind, first } = seen.find((each) => !each.kind.createsByPut && each.first !== undefined) ?? {};
    if (kind === undefined) return noObject;
    const taken = { ...kind.example, slug: first?.slug };
    const asked = await writes.send(new Target(probe.run, kind, taken), { method: "POST" }, false);
    if (asked === undefined) return shows("unknown", "not tried: no dry run was possible");
    if (isRejection(asked.error)) return shows("ok", "rejected at preview");
    const meaning =
      "A preview also looks up each new slug. A create may overwrite an object that appears after that lookup";
    return shows("note", "accepted by a dry run", meaning, answers);
  },
  async "unknown values"({ probe, seen, writes }) {
    const isSuggested = ({ field }: ReturnType<typeof leaves>[number]) => field.options.suggestions !== undefined;
    for (const { kind, verbs } of seen) {
      const leaf = leaves(kind.root, kind.example).find(isSuggested);
      if (leaf === undefined || verbs.update !== "yes") continue;
      const args = structuredClone(kind.example);
      Object.assign(valueAt(args, leaf.path.slice(0, -1)) as object, { [String(leaf.path.at(-1))]: probe.slug });
      const asked = await writes.send(probe.target(kind, args), { method: "PUT", createIfMissing: true }, false);
      if (isRejection(asked?.error)) return shows("ok", "rejected at preview");
      const page = "docs/troubleshooting.md#add-it-to-observabilityknownvalues";
      if (asked === undefined || asked.error !== undefined) continue;
      return shows("note", "accepted", "A typo in an enumeration causes a warning, but no error", page);
    }
    return shows("unknown", "not tried: no dry run was possible");
  },
  async "dry runs"({ writes }) {
    await writes.lookAgain();
    const { stopped, honored } = writes;
    if (honored.size > 0) return stopped ?? shows("ok", `honored by ${listed([...honored].sort())}`);
    const meaning = "No dry run was accepted of an object that a read can show";
    return stopped ?? shows("missing", "unknown", meaning, "docs/limits.md#a-service-that-ignores-dry_run");
  },
};

/** Reads the first pages of a list, to its end if it is short. */
async function firstPages(pages: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of pages) if (++count === 5) return;
}

export async function behaviorFindings(evidence: Evidence): Promise<readonly DoctorFinding[]> {
  const found: DoctorFinding[] = [];
  for (const [line, check] of Object.entries(checks)) {
    const failed = (error: unknown) => shows("unknown", evidence.probe.reason(`check ${line}`, error));
    found.push({ line, ...(await Promise.resolve(evidence).then(check).catch(failed)) });
  }
  return found;
}
