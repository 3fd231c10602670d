import { expect, test } from "vitest";
import { reportFigure, runs } from "../support/figures.js";
import { ownFolder } from "../support/folders.js";
import { serve } from "./command.js";

const kills = runs(0.02, 0.08);
const writers = 8;
const slugsEach = 3;

type Served = Awaited<ReturnType<typeof serve>>;

/** What one object may be after a kill: as the last answer said, or as the request without an answer wanted it. */
interface Known {
  answered: number | undefined;
  asked?: number | undefined;
}

const random = (below: number) => Math.floor(Math.random() * below);

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
    const known = new Map<string, Known>();
    let [answers, unanswered, done] = [0, 0, 0];
    let n = 0;

    const write = async ({ call }: Served, path: string, wanted: number | undefined) => {
      const state = known.get(path) ?? { answered: undefined };
      known.set(path, { ...state, asked: wanted });
      const body = wanted && JSON.stringify({ create_if_missing: true, notifier: notifier(wanted) });
      const { status } = await call(path, body ? { method: "PUT", body } : { method: "DELETE" });
      expect(wanted === undefined ? [200, 404] : [200]).toContain(status);
      known.set(path, { answered: wanted });
      answers++;
    };

    /** Writes until the service is gone, and kills it after some answers. */
    const load = async (service: Served) => {
      const end = answers + 20 + random(200);
      const work = async (writer: number) => {
        for (;;) {
          const path = `/notifiers/w${writer}-${random(slugsEach)}`;
          const wanted = random(6) === 0 ? undefined : ++n;
          await write(service, path, wanted);
          if (answers >= end) service.child.kill("SIGKILL");
        }
      };
      // A writer ends only by the connection that broke.
      const ends = await Promise.allSettled(Array.from({ length: writers }, (_, writer) => work(writer)));
      for (const { reason } of ends as PromiseRejectedResult[]) if (!(reason instanceof TypeError)) throw reason;
      expect(await service.ended).toBe("SIGKILL");
    };

    /** Compares everything with what it may be, and takes what it is as known. */
    const inspect = async ({ call }: Served) => {
      for (const [path, state] of known) {
        const answer = await call(path);
        const body = (await answer.json()) as { notifier?: any };
        const { created_at, updated_at, slug, ...found } = body.notifier ?? {};
        const isUnanswered = "asked" in state;
        if (isUnanswered) unanswered++;
        const possible = isUnanswered ? [state.answered, state.asked] : [state.answered];
        const held = possible.filter((each) =>
          each === undefined ? answer.status === 404 : JSON.stringify(notifier(each)) === JSON.stringify(found),
        );
        expect(held, `${path} of ${possible.join(" or ")} holds ${JSON.stringify(found)}`).not.toEqual([]);
        known.set(path, { answered: held[0] });
      }
    };

    let service = await start();
    for (; done < kills; done++) {
      await load(service);
      service = await start();
      await inspect(service);
    }
    reportFigure(
      `services killed under load: ${done}, answered writes: ${answers}, lost or by halves: 0, writes without an answer: ${unanswered}`,
    );
  },
);
