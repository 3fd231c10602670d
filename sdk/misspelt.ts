import * as pulumi from "@pulumi/pulumi";
import { settingNames } from "./providerArgs.gen";

const known: readonly string[] = settingNames;

/**
 * Warns of names that are almost a setting's. Other names may be intended: a project may be called "observability", and
 * a program may pass more than the provider reads.
 * @param place The words before the name in the warning.
 */
export function warnOfMisspelt(place: string, names: readonly string[]): void {
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length === 0) return;
  const warn = async () => {
    const { nearest } = await import("../provider/values/nearest.js");
    for (const name of strange) {
      const near = nearest(name, known);
      if (near !== undefined) await pulumi.log.warn(`${place}${name} is not a known setting: did you mean "${near}"?`);
    }
  };
  void warn();
}
