import { describe, expect, test } from "vitest";
import { isDeep, reportFigure, size, timeLimitMs } from "../support/figures.js";
import { type Exchange, fuzz, jsonOf, whyNoFuzzer } from "./schemathesis.js";
import { clientOf, start } from "./service.js";

const cases = size(50);
const reason = isDeep ? await whyNoFuzzer() : "this is no deep run";
if (isDeep && reason !== undefined) reportFigure(`fuzzer skipped: ${reason}`);

const profiles = (["all", "described"] as const).flatMap((operations) =>
  [false, true].map((strict) => ({ operations, strict })),
);

describe.skipIf(reason !== undefined).each(profiles)("%o, by the served document alone", (profile) => {
  const name = `${profile.operations}${profile.strict ? ", strict" : ""}`;

  test("a fuzzer finds no server error and no answer unlike the document", { timeout: timeLimitMs }, async () => {
    const { service } = await start(profile);
    const { closing, failed, output, exchanges } = await fuzz(service, cases);
    reportFigure(`fuzzer (${name}): ${closing}`);
    expect(failed, output).toBe(false);
    const { tried, diverging } = await compared(exchanges, profile);
    reportFigure(`bodies as dry run and as write (${name}): ${tried}, diverging: ${diverging.length}`);
    expect(diverging).toEqual([]);
  });
});

const writes = (exchanges: readonly Exchange[]) => exchanges.filter(({ method }) => ["POST", "PUT"].includes(method));

/** Sends each body as a dry run and then as a write: both say the same. */
async function compared(exchanges: readonly Exchange[], profile: (typeof profiles)[number]) {
  const { service } = await start(profile);
  const client = clientOf(service);
  const diverging: unknown[] = [];
  let tried = 0;
  for (const { method, path, body } of writes(exchanges)) {
    const given = jsonOf(body);
    if (typeof given !== "object" || given === null || Array.isArray(given)) continue;
    const send = (dry_run: boolean) => client[method === "POST" ? "post" : "put"](path, { ...given, dry_run });
    const [dry, real] = [await send(true), await send(false)];
    tried++;
    const isSame =
      dry.status === real.status && (real.status === 200 || JSON.stringify(dry.body) === JSON.stringify(real.body));
    if (!isSame) diverging.push({ method, path, body, dry, real });
  }
  return { tried, diverging };
}
