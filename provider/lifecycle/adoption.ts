import { ObservabilityError } from "../client/errors";
import type { Adopt } from "../client/settings";
import type { Kind } from "../schema/kind";
import { type JsonObject, objectFromWire } from "../wire/codec";
import { type Existence, find, type Standing } from "./existence";
import { contradictions } from "./projection";
import type { Run } from "./run";

/** What a create may do with an object that exists under its slug; the resource's option goes before the setting. */
export function adoptOf(run: Run, kind: Kind, slug: string): Adopt {
  return run.context(kind, slug).adopt ?? run.settings.adopt;
}

/** What stands under a taken slug, as far as adopting asks for it: looked at only where it is to be compared. */
export async function takenBy(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Existence> {
  return adoptOf(run, kind, slug) === "identical" ? find(run, kind, slug, wanted) : { state: "unreadable" };
}

/** @throws {ObservabilityError} of code `conflict` where the existing object may not be taken over. */
export function assertAdoptable(run: Run, kind: Kind, slug: string, wanted: JsonObject, existing: Standing): void {
  switch (adoptOf(run, kind, slug)) {
    case true:
      return;
    case false:
      throw new ObservabilityError("conflict", takenMessage(kind));
    case "identical": {
      if (existing.state === "unreadable") {
        throw new ObservabilityError(
          "conflict",
          `it exists, and this service cannot show whether it is identical; set adopt: true to take it over as it is and update it`,
        );
      }
      const differing = contradictions(kind.root, wanted, objectFromWire(kind.root, existing.object), run.isMask);
      if (differing.length > 0) {
        throw new ObservabilityError(
          "conflict",
          `it exists already and differs in ${differing.join(", ")}; set adopt: true to take it over and update it`,
        );
      }
    }
  }
}

function takenMessage(kind: Kind): string {
  const takeOver =
    'set the resource option adopt: true to take it over ("identical": only where it says the same already)';
  const replaced = "if this resource itself is being replaced, set deleteBeforeReplace: true";
  return kind.isSingleton
    ? `it exists already, and there is only one: ${takeOver}; ${replaced}`
    : `it exists already: if the resource was renamed in the program, add the option aliases; else ${takeOver}, or choose another slug; ${replaced}`;
}
