import { expect, test } from "vitest";
import { reportFigure, runs } from "../support/figures.js";
import { ownFolder } from "../support/folders.js";
import { serve } from "./command.js";

const kills = runs(0.02, 0.08);

type Served = Awaited<ReturnType<typeof serve>>;

/** An object in which every part says the same number: a half of it would show. */
const notifier = (n: number) => ({
  name: `n${n}`,
  oncall_a: {
    api_key: `key ${n}`,
    details: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`part ${i}`, `${n} `.repeat(1 + (n % 50))])),
  },
});

test(
  `a service that is killed ${kills} times under load loses nothing that it has answered, and has nothing by halves`,
  { timeout: 60_000 + 20_000 * kills },
  async () => {
    const cwd = ownFolder();
    const start = () => serve(["--token", "t", "--show-secrets"], cwd);
    let answers = 0;
    /** The last numbers that were sent and answered, of the object of each writer. */
    const writers = Array.from({ length: 8 }, (_, i) => ({ path: `/notifiers/w${i}`, sent: 0, answered: 0 }));

    /** Writes until the service is gone, and kills it after some answers. */
    const load = async ({ call, child }: Served) => {
      const end = answers + 20 + Math.floor(Math.random() * 200);
      const work = async (writer: (typeof writers)[number]) => {
        for (;;) {
          const body = JSON.stringify({ create_if_missing: true, notifier: notifier(++writer.sent) });
          expect((await call(writer.path, { method: "PUT", body })).status).toBe(200);
          writer.answered = writer.sent;
          if (++answers >= end) child.kill("SIGKILL");
        }
      };
      // A writer ends only by the connection that broke.
      const ends = await Promise.allSettled(writers.map(work));
      for (const { reason } of ends as PromiseRejectedResult[]) if (!(reason instanceof TypeError)) throw reason;
    };

    for (let killed = 0; killed < kills; killed++) {
      const service = await start();
      await load(service);
      await service.ended;
      const again = await start();
      for (const writer of writers) {
        const body = (await (await again.call(writer.path)).json()) as { notifier?: any };
        const { created_at, updated_at, slug, ...found } = body.notifier ?? {};
        const possible = [writer.answered === 0 ? {} : notifier(writer.answered), notifier(writer.sent)];
        expect(possible, writer.path).toContainEqual(found);
        writer.answered = writer.sent = Number(found.name?.slice(1) ?? 0);
      }
      again.child.kill("SIGKILL");
      await again.ended;
    }
    reportFigure(`services killed under load: ${kills}, answered writes: ${answers}, lost or by halves: 0`);
  },
);
