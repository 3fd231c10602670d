import * as pulumi from "@pulumi/pulumi";
import { settingNames } from "./providerArgs.gen";

const known: readonly string[] = settingNames;

/**
 * Warns of names that are almost a setting's. Others may be meant for something else: a project may be called
 * "observability", and a program may pass more than a provider reads.
 * @param place What a name stands in, told before it.
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
