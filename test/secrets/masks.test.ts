import { expect, test } from "vitest";
import { secretTexts } from "../../dist/provider/values/secrets.js";
import * as faults from "../support/faults.js";
import { localHost } from "../support/host.js";
import { ownService } from "../support/service.js";
import { type Bearer, bearers, mark, token } from "./canaries.js";

type Json = Record<string, unknown>;

// Masks that every service may use are tried in test/property.
const mask = "<hidden>";

/** The service's answers with the mask instead of every secret; a URL too, as some services do. */
const masked = faults.edited(
  "masked",
  (body) =>
    JSON.parse(JSON.stringify(body), (_, value: unknown) =>
      typeof value === "string" && value.includes(mark) ? mask : value,
    ) as Json,
);

test("a mask of the setting secretMasks is neither kept nor sent, whether the object is created, adopted or refreshed", async () => {
  const proxy = await faults.ownProxy((await ownService({ token, showSecrets: true })).url);
  proxy.use(() => masked);
  const settings = { baseUrl: proxy.url, apiToken: token, secretMasks: mask };
  const [plain, adopting] = [localHost(settings), localHost({ ...settings, adopt: "identical" })];
  const live = async ({ kind, args, slug }: Bearer) => {
    const holds = (properties: Json) => {
      expect(JSON.stringify(properties), slug).not.toContain(mask);
      expect(secretTexts(kind.root, properties)).toEqual(secretTexts(kind.root, args));
    };
    const { id, outputs } = await plain.create(kind.name, args);
    holds(outputs);
    holds((await adopting.create(kind.name, args)).outputs);
    const read = await plain.read(kind.name, id, outputs);
    holds(read.outputs);
    // What a refresh answers with is what the next update sends.
    holds(await plain.update(kind.name, id, read.outputs, { ...(read.inputs ?? args), name: "Another name" }));
    expect(JSON.stringify(await plain.read(kind.name, id, {}))).not.toContain(mask);
  };
  await Promise.all(bearers().map(live));
  for (const { body } of proxy.arrivals()) expect(JSON.stringify(body)).not.toContain(mask);
});
