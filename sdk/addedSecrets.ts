import * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import type { Validation } from "../provider/protocol";
import { textsIn } from "../provider/wire/json";
import type * as redaction from "../provider/base/redact";
import type { ReadableOutput } from "./internals";

/** A resource to which a transformation or transform may have added secrets: the provider's process gets no mark of them. */
export interface AddedSecrets {
  readonly resource: pulumi.CustomResource;
  /** The arguments before transformations and transforms; undefined if there are none. */
  readonly given: Readonly<Record<string, unknown>> | undefined;
}

/** The texts of a validation without the secrets that were added. */
export async function withoutAddedSecrets(added: AddedSecrets, validation: Validation): Promise<Validation> {
  const { failures, warnings, notes = [], doubts = [] } = validation;
  const isSilent = [failures, warnings, notes, doubts].every((texts) => texts.length === 0);
  const secrets = isSilent ? [] : await addedTexts(added);
  if (secrets.length === 0) return validation;
  const { redactSecrets } = require("../provider/base/redact") as typeof redaction; // Most programs need no redaction.
  const redacted = (text: string) => redactSecrets(text, secrets);
  return {
    ...validation,
    failures: failures.map(redacted),
    warnings: warnings.map(redacted),
    notes: notes.map(redacted),
    doubts: doubts.map(({ what, object }) => ({ what: redacted(what), object: redacted(object) })),
  };
}

/** The texts in each argument that is secret, unlike the program's value of it: the engine marks a whole argument. */
async function addedTexts({ resource, given }: AddedSecrets): Promise<readonly string[]> {
  if (given === undefined) return [];
  const texts = await Promise.all(
    Object.entries(resource).map(async ([key, output]: [string, unknown]) => {
      if (!pulumi.Output.isInstance(output) || !(await isSecret(output))) return [];
      const [value, before] = [await valueOf(output), pulumi.output(given[key])];
      const isOwn = (await isSecret(before)) && isDeepStrictEqual(await valueOf(before), value);
      return isOwn ? [] : textsIn(value);
    }),
  );
  return texts.flat();
}

const isSecret = (output: unknown) => (output as ReadableOutput).isSecret;
const valueOf = (output: unknown) => (output as ReadableOutput).promise();
