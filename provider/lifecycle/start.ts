import { readSettings } from "../client/settings";
import type { SettingTexts } from "../client/settingTexts";
import { kinds } from "../kinds/index.gen";
import type { Kind } from "../schema/kind";
import { type Claims } from "./objects/claims";
import { type Note, Run } from "./run";

/** @throws if this version of the package does not support the kind. */
export function kindNamed(name: string): Kind {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) {
    throw new Error(`this version of pulumi-observability doesn't support the kind "${name}". Install a newer version`);
  }
  return kind;
}

/** Starts the run of one process: a provider's, or a program's that validates. */
export function startRun(texts: SettingTexts, note: Note, claims: Claims): Run {
  const listable = kinds.find(({ verifiesAddress }) => verifiesAddress);
  if (listable === undefined) throw new Error("no kind's list verifies the URL");
  return new Run(readSettings(texts), listable, note, claims);
}
