import { Client } from "../dist/provider/client/client.js";
import { readSettings } from "../dist/provider/client/settings.js";
import { atMost, exactly } from "./result.mjs";
import { startService } from "./service.mjs";

const limit = { requests: 100, seconds: 10 };

/**
 * Measures the client without engine and provider: many creates at once at a service with a request limit.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function client(context) {
  const { resources, latency } = context.options;
  const kind = context.kindOr("Notifier");
  const service = await startService({ requestLimit: limit });
  try {
    await service.setLatency(latency);
    const settings = new Map([
      ["baseUrl", service.url],
      ["apiToken", service.token],
    ]);
    // All other settings have their defaults.
    const ours = new Client(readSettings((name) => settings.get(name)));
    const objects = Array.from({ length: resources }, (_, i) => ({ ...kind.example.wire, slug: `at-once-${i}` }));
    const title = `client alone, ${resources} creates at ${limit.requests} per ${limit.seconds} s`;

    const started = performance.now();
    const outcomes = await Promise.allSettled(objects.map((object) => ours.post(kind, object, { dryRun: false })));
    const seconds = (performance.now() - started) / 1000;
    const sent = await service.takeRequests();
    context.say(`${title}: ${seconds.toFixed(2)} s`);

    const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    const first = failures.length === 0 ? "" : `; the first failure: ${failures[0]}`;
    // A window starts with a request, so the requests of the last window take no time.
    const needed = Math.floor((resources - 1) / limit.requests) * limit.seconds;
    return {
      rows: [
        exactly("client alone, limited service: creates that failed", [failures.length], 0),
        atMost(
          "client alone, limited service: wall / what the limit needs",
          // A create that gave up must not count as a fast one.
          needed === 0 || failures.length > 0 ? undefined : seconds / needed,
          1.15,
        ),
      ],
      tables: [
        `${title}\n${seconds.toFixed(2)} s where the limit needs ${needed} s; ${sent} requests, of which ` +
          `${sent - resources + failures.length} were refused${first}`,
      ],
    };
  } finally {
    await service.stop();
  }
}
