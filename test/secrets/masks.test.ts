import { beforeAll, expect, test } from "vitest";
import { objectFromWire } from "../../dist/provider/wire/codec.js";
import { secretTexts } from "../../dist/provider/values/secrets.js";
import { cases } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type Host, startHost } from "../support/host.js";
import { ownService } from "../support/service.js";
import { type Bearer, bearers, mark, token } from "./canaries.js";

type Json = Record<string, unknown>;

/** One that every service may use, and one from the setting. Others are tried in test/property. */
const masks = ["***", "<hidden>"] as const;
let proxy: faults.FaultProxy;
let hosts: readonly Host[];

beforeAll(async () => {
  const service = await ownService({ token, showSecrets: true });
  proxy = await faults.ownProxy(service.url);
  const settings = { baseUrl: proxy.url, apiToken: token, secretMasks: "<hidden>" };
  hosts = await Promise.all(["false", "identical", "true"].map((adopt) => startHost({ ...settings, adopt })));
});

/** The service's answers with the mask in place of every secret; a URL too, as some services do. */
const masked = (mask: string) =>
  faults.edited(
    "masked",
    (body) =>
      JSON.parse(JSON.stringify(body), (_, value: unknown) =>
        typeof value === "string" && value.includes(mark) ? mask : value,
      ) as Json,
  );

test.each(masks)(
  "%s in every secret's place is neither kept nor sent, whether created, adopted or refreshed",
  async (mask) => {
    proxy.reset();
    proxy.use(() => masked(mask));
    const [plain, identical, taking] = hosts;
    if (plain === undefined || identical === undefined || taking === undefined) throw new Error("three hosts run");
    const live = async ({ kind, args, slug }: Bearer) => {
      const own = { ...args, slug: `${slug}-${masks.indexOf(mask)}` };
      const holds = (properties: Json) => {
        expect(JSON.stringify(properties), own.slug).not.toContain(JSON.stringify(mask).slice(1, -1));
        expect(secretTexts(kind.root, properties)).toEqual(secretTexts(kind.root, own));
      };
      const { id, outputs } = await plain.create(kind.name, own);
      holds(outputs);
      for (const heir of [identical, taking]) holds((await heir.create(kind.name, own)).outputs);
      const read = await plain.read(kind.name, id, outputs);
      holds(read.outputs);
      // As the engine does with what it is not told.
      const inputs = read.inputs ?? own;
      holds(inputs);
      // What refresh answered with is what the next update sends.
      holds(await plain.update(kind.name, id, read.outputs, { ...inputs, name: "Another name" }));
      const got = await plain.read(kind.name, id, {});
      expect(secretTexts(kind.root, got.outputs)).toEqual([]);
      expect(JSON.stringify(got)).not.toContain(JSON.stringify(mask).slice(1, -1));
    };
    await Promise.all(bearers().map(live));
    for (const { method, body } of proxy.arrivals().filter((arrival) => arrival.method !== "GET")) {
      const sent = secretsIn(body);
      expect(sent.length, method).toBeGreaterThan(0);
      for (const text of sent) expect(text, JSON.stringify(body)).toContain(mark);
    }
  },
);

/** The secrets of the object that a body holds. */
const secretsIn = (body: Json): readonly string[] =>
  cases.flatMap(({ kind: { root, wire } }) =>
    body[wire.one] === undefined ? [] : secretTexts(root, objectFromWire(root, body[wire.one] as Json)),
  );
