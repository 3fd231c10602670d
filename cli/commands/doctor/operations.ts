import { isRejection, mayHaveHappened } from "../../../provider/client/failures";
import { ObservabilityError, UnexpectedAnswerError } from "../../../provider/client/errors";
import type { DryRun } from "../../../provider/lifecycle/objects/dryRuns";
import { lookUp, orThrow, sendDryRun } from "../../../provider/lifecycle/objects/lookUp";
import type { Target } from "../../../provider/lifecycle/objects/target";
import type { Kind, Verb } from "../../../provider/schema/kind";
import { fromWire, WireShapeError } from "../../../provider/wire/codec";
import type { JsonObject } from "../../../provider/wire/json";
import { reasonOf } from "../../output/output";
import { listed } from "../../output/words";
import { type Reply, type DoctorFinding, type Has, type Probe, type Result, shownBy, shows } from "./probe";

/** A kind, as the service shows it. */
export interface ProbedKind {
  readonly kind: Kind;
  readonly verbs: Record<Verb, Has>;
  /** The first page of its list, of one object if the service honors that. */
  readonly page: { readonly objects: readonly JsonObject[]; readonly nextToken: string } | undefined;
  /** The first object of its list. */
  readonly first: JsonObject | undefined;
  readonly object: JsonObject | undefined;
  /** Why an answer that the service gave can't be used. */
  readonly unusable?: unknown;
}

/** Reads a kind's list, and its first object. */
export async function probeKind(probe: Probe, kind: Kind): Promise<ProbedKind> {
  const { list } = kind.operations;
  const pageAt = (token: string) => probe.ask(() => probe.service.page(kind, [], token, 1));
  let page = list && (await pageAt(""));
  // A service may leave out objects that the token may not see, and so show empty pages.
  for (let more = 5; more > 0 && page?.answer?.objects.length === 0 && page.answer.nextToken !== ""; more--)
    page = await pageAt(page.answer.nextToken);
  const first = page?.answer?.objects[0];
  const lists = list === undefined || page === undefined ? "" : shownBy(page);
  const slug = kind.isSingleton ? kind.singletonId : String(first?.slug ?? probe.slug);
  const one = kind.readsByList ? undefined : await probe.ask(() => probe.run.client.get(kind, slug));
  // Without a list, there may be no object.
  const gets = one === undefined ? lists : shownBy(one, lists !== "yes");
  // Without a read, the provider looks an object up in the list.
  const reads = gets === "no" && lists === "yes" ? "yes" : gets;
  const verbs = { create: "not tried", read: reads, update: "not tried", list: lists, delete: "not tried" } as const;
  const object = one?.answer?.object ?? first;
  const errors = [page?.error, one?.error, shapeError(kind, object)];
  const unusable = errors.find((error) => error instanceof UnexpectedAnswerError || error instanceof WireShapeError);
  return { kind, verbs, page: page?.answer, first, object, unusable };
}

/** Why an object is not as the API spec has it. */
function shapeError(kind: Kind, object: JsonObject = {}): unknown {
  try {
    fromWire(kind.root, object);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What dry runs have shown. */
export class Writes {
  /** Why no more dry runs are sent. */
  stopped: Result | undefined;
  /** Whether a free slug was recognized; undefined if that is unknown. */
  knowsFree: boolean | undefined;
  readonly honored = new Set<DryRun["method"]>();
  /** Those whose dry run seems to have written nothing. */
  readonly #looked: Target[] = [];

  constructor(readonly probe: Probe) {
    if (probe.run.settings.validate === "never")
      this.stopped = shows("missing", 'not tried, because observability:validate is "never"');
  }

  /** Tries every kind, first those whose objects are shown: there, a look shows whether a dry run has written. */
  async tryAll(all: readonly ProbedKind[]): Promise<void> {
    const rank = ({ kind, verbs }: ProbedKind) => (verbs.read !== "yes" ? 2 : kind.readsByList ? 1 : 0);
    for (const { kind, verbs } of [...all].sort((one, other) => rank(one) - rank(other))) {
      // A singleton has no free slug, so it waits for the proof.
      const isShown = verbs.read === "yes" && !kind.isSingleton;
      const send = (dryRun: DryRun) => this.send(this.probe.target(kind), dryRun, isShown);
      if (kind.createsByPut && this.knowsFree === undefined) {
        const asked = await send({ method: "PUT", createIfMissing: false });
        if (asked !== undefined)
          this.knowsFree = isRejection(asked.error) || (asked.error === undefined ? false : undefined);
      }
      const posted = kind.createsByPut ? undefined : await send({ method: "POST" });
      const put = await send({ method: "PUT", createIfMissing: true });
      if (posted !== undefined) verbs.create = shownBy(posted);
      if (put !== undefined) verbs.update = shownBy(put);
      if (kind.createsByPut) verbs.create = verbs.update;
    }
  }

  /** Sends a dry run. Undefined if it is not sent, because it might write. */
  async send(target: Target, dryRun: DryRun, isShown: boolean): Promise<Reply<void> | undefined> {
    const isHonored = this.honored.has(dryRun.method);
    if (this.stopped !== undefined || !(isHonored || isShown)) return undefined;
    const asked = await this.probe.ask(() => sendDryRun(target, dryRun));
    const { error } = asked;
    if (error instanceof ObservabilityError && error.code === "dry_run_ignored") this.#ignored(target, reasonOf(error));
    // An answer without the object, or none, may hide a write.
    if (this.stopped !== undefined || isHonored || (error !== undefined && !mayHaveHappened(error))) return asked;
    const found = await this.#look(target);
    if (found.answer?.state === "absent") {
      this.#looked.push(target);
      if (error === undefined) this.honored.add(dryRun.method);
    } else if (found.answer !== undefined) this.#ignored(target, `a dry run has created ${target.title}`);
    else this.stopped = shows("missing", `not proved: ${this.probe.reason(`look for ${target.title}`, found.error)}`);
    return asked;
  }

  /** Looks again at the end: reads may lag behind writes. */
  async lookAgain(): Promise<void> {
    for (const target of this.#looked) {
      const { state = "absent" } = (await this.#look(target)).answer ?? {};
      if (state !== "absent") this.#ignored(target, `dry runs have created objects under the slug "${target.slug}"`);
    }
  }

  #look(target: Target) {
    return this.probe.ask(() => lookUp(target, { pages: "none" }).then(orThrow));
  }

  #ignored({ session, kind }: Target, reason: string): void {
    const url = session.client.baseUrl + kind.family.delete.path.replace("{slug}", this.probe.slug);
    this.stopped = shows(
      "unusable",
      "ignored",
      `A preview writes. ${reason}. To delete it: curl -X DELETE -H "API-Token: $OBSERVABILITY_API_TOKEN" ${url}`,
      "docs/troubleshooting.md#ignores-dry_run",
    );
  }
}

const cannot = "docs/troubleshooting.md#this-service-cant-delete-this-service-cant-create-this-service-cant-update";
const without = "docs/limits.md#a-service-without-some-operations";

/** What a program lacks without a verb, and the page. */
const lacking: Readonly<Record<Exclude<Verb, "delete">, readonly [meaning: string, page: string]>> = {
  create: ["New resources of these kinds fail in the preview. Read existing objects with .get", cannot],
  read: ["Edits and recreated objects of these kinds aren't detected", without],
  update: ["Changed resources of these kinds fail in the preview", cannot],
  list: ["import and drift --unmanaged leave these kinds out. A refresh reads each object singly", without],
};

/** A line for each verb. */
export function verbFindings(all: readonly ProbedKind[]): readonly DoctorFinding[] {
  const lines = (Object.keys(lacking) as (keyof typeof lacking)[]).map((line): DoctorFinding => {
    const [no, forbidden, ...others] = (["no", "forbidden", "unknown", "not tried"] as const).map((has) => {
      const titles = all.flatMap(({ kind, verbs }) => (verbs[line] === has ? [kind.manyTitle] : []));
      return titles.length === 0 ? "" : `${has} for ${listed(titles)}`;
    });
    const result = [no, forbidden, ...others].filter(Boolean).join("; ");
    if (result === "") return { line, ...shows("ok", "every kind") };
    if (no) return { line, ...shows("missing", result, ...lacking[line]) };
    return { line, ...(forbidden ? shows("missing", result, ...permission) : shows("unknown", result)) };
  });
  return [...lines, { line: "delete", ...shows("unknown", "not tried", "There is no dry run of a delete", cannot) }];
}

const permission = ["Use a token that has this permission", "docs/troubleshooting.md#answered-403"] as const;
