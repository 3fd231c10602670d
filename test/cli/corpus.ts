import type { Kind } from "../../dist/provider/schema/kind.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { generator } from "../property/random.js";

/** An object as people make it: titles in every style, repeated over services, copied, with slugs that say nothing. */
export interface Made {
  readonly kind: Kind;
  readonly args: Readonly<Record<string, unknown>> & { readonly slug: string; readonly name: string };
}

const teams: Readonly<Record<string, readonly string[]>> = {
  checkout: ["cart", "payments-api", "payments-worker", "vouchers", "invoices"],
  search: ["query-api", "indexer", "suggest", "ranking"],
  shipping: ["labels", "tracking", "carrier-gateway", "returns"],
  identity: ["login", "sessions", "mfa", "profile"],
  platform: ["ingress", "dns", "ci-runners", "registry", "kafka", "postgres", "redis"],
  data: ["warehouse", "stream-loader", "exports", "reports"],
  mobile: ["push", "bff", "feature-flags"],
  growth: ["campaigns", "mailer", "experiments"],
};
const places = Object.entries(teams).flatMap(([team, services]) => services.map((service) => ({ team, service })));

const signals = [
  ["high error rate", "http_errors_total"],
  ["p99 latency above 500 ms", "http_request_duration_seconds_sum"],
  ["p50 latency", "http_request_duration_seconds_sum"],
  ["no traffic", "http_requests_total"],
  ["pods restarting", "kube_pod_container_status_restarts_total"],
  ["CPU saturation", "process_cpu_seconds_total"],
  ["memory near limit", "process_resident_memory_bytes"],
  ["disk space low", "node_filesystem_avail_bytes"],
  ["queue backlog growing", "queue_messages_total"],
  ["certificate expires soon", "tls_not_after_seconds"],
  ["consumer lag", "kafka_consumer_lag"],
  ["connection pool exhausted", "db_pool_waiting_total"],
  ["deploy failed", "deploy_failures_total"],
  ["5xx from upstream", "http_errors_total"],
  ["cache hit ratio low", "cache_hits_total"],
  ["GC pauses", "gc_pause_seconds_sum"],
] as const;
const environments = ["prod", "staging"];
const regions = ["eu-west-1", "us-east-1", "ap-south-1"];
const zones = ["Europe/Berlin", "America/New_York"];

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (text: string) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(upper)
    .join("");

/** So many objects, the same each time. */
export function corpus(size: number, seed = 1): readonly Made[] {
  const next = generator(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const chance = (part: number) => next() < part;
  const hex = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const kindNamed = (name: string) => kinds.find((kind) => kind.name === name) as Kind;
  const made: Made[] = [];
  const slugs = new Set<string>();
  const add = (kindName: string, name: string, args: Record<string, unknown>, like = name) => {
    const kind = kindNamed(kindName);
    const form = like
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50);
    let slug = chance(0.2) || form === "" ? `${hex()}-${hex().slice(0, 4)}-${hex()}` : form;
    for (let i = 2; slugs.has(`${kindName}/${slug}`); i++) slug = `${form || hex()}-${i}`;
    slugs.add(`${kindName}/${slug}`);
    made.push({ kind, args: { name, slug, ...args } });
  };
  const week = () => {
    const day = { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "09:00", endHhMm: "17:00" }] };
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday"].map((each) => [each, day]);
    const weekend = { saturday: { active: "NEVER" }, sunday: { active: "NEVER" } };
    return { timezone: pick(zones), weeklySchedule: { ...Object.fromEntries(days), ...weekend } };
  };

  const share = (part: number) => Math.max(1, Math.round(size * part));
  for (const { team, service } of places.slice(0, share(0.02))) {
    add("Dataset", `${upper(service)} logs`, {
      description: `Everything that ${service} of ${team} logs`,
      configuration: { type: "LOGS", logDataset: { matchCriteria: { query: `service = "${service}"` } } },
    });
  }
  for (let i = 0; i < share(0.05); i++) {
    const { team, service } = places[i % places.length] ?? pick(places);
    const names = [
      `${upper(team)} on-call`,
      `${upper(team)} chat`,
      `#${service}-alerts`,
      `${service} pager (critical)`,
    ];
    const receivers = [
      { oncallB: { routingKey: `key-${i}`, severity: chance(0.5) ? "critical" : "warning" } },
      { chat: { apiUrl: `https://chat.example.com/hooks/${i}`, channel: `#${service}`, shortFields: false } },
      { email: { to: `${service}@example.com` } },
      { webhook: { url: `https://hooks.example.com/${service}/${i}` } },
    ];
    add("Notifier", pick(names), { skipResolved: chance(0.3), ...pick(receivers) });
  }
  for (let i = 0; i < share(0.06); i++) {
    const { service } = pick(places);
    const metric = `${service.replaceAll("-", "_")}:${pick(signals)[1]}:rate${pick(["1m", "5m", "1h"])}`;
    if (made.some(({ args }) => args.metricName === metric)) continue;
    add("DerivedMetric", metric, {
      metricName: metric,
      queries: [{ query: { labelExpr: `sum(rate(${pick(signals)[1]}[5m]))` } }],
    });
  }
  for (let i = 0; i < share(0.03); i++) {
    const { service } = pick(places);
    add("TraceMetricsRule", `${upper(service)} ${pick(["latency", "errors", "by route", "slow spans"])}`, {
      metricName: `${service.replaceAll("-", "_")}_traces_${i}`,
      traceFilter: { span: [{ service: { match: "EXACT", value: service }, error: { value: false } }] },
    });
  }
  for (let i = 0; i < share(0.1); i++) {
    const { team, service } = places[i % places.length] ?? pick(places);
    const what = pick(["availability", "latency", "freshness", "correctness"]);
    const [env, query] = [pick(environments), `sum(rate(http_requests_total{service="${service}"}[5m]))`];
    add("SLO", pick([`${upper(service)} ${what}`, `${what} of ${service}`, `[${env}] ${service} ${what} SLO`]), {
      labels: { team, service, env },
      definition: {
        objective: pick([99, 99.5, 99.9]),
        timeWindow: pick(["28d", "7d"]),
        enableBurnRateAlerting: chance(0.5),
      },
      sli: { customIndicator: { totalQueryTemplate: query, badQueryTemplate: query.replace("requests", "errors") } },
    });
  }
  while (made.length < size - 1) {
    const { team, service } = pick(places);
    const [signal, metric] = pick(signals);
    const [env, region, severity] = [
      chance(0.7) ? "prod" : pick(environments),
      pick(regions),
      pick(["critical", "warn"]),
    ];
    const name = pick([
      upper(signal),
      `${upper(service)}: ${signal}`,
      `${upper(service)} ${signal} (${env})`,
      `[${upper(team)}] ${service} ${signal}`,
      `${pascal(service)}${pascal(signal)}`,
      `${upper(signal)} in ${region}`,
      `${pick(["P1", "P2", "SEV2"])} - ${service} - ${signal} - ${region}`,
      ...(chance(0.05) ? [`Copy of ${service} ${signal}`] : []),
      ...(chance(0.03) ? ["test", "New monitor", `Überwachung: ${signal}`, `支付 ${signal}`] : []),
      ...(chance(0.05)
        ? [`${upper(service)} ${signal} for more than ${pick([5, 10, 30])} minutes, please look at the run book`]
        : []),
    ]);
    const selector = `service="${service}", env="${env}", region="${region}"`;
    add(
      "Monitor",
      name,
      {
        labels: chance(0.95) ? { team, service, env, region, severity } : {},
        annotations: {
          runBook: `https://runbooks.example.com/${service}/${metric}`,
          summary: `${upper(signal)} on ${service}`,
        },
        notificationPolicySlug: team,
        intervalSecs: pick([30, 60, 60, 120]),
        labelQuery: `sum by (pod) (rate(${metric}{${selector}}[${pick(["5m", "10m"])}]))`,
        ...(chance(0.15) ? { schedule: week() } : {}),
        seriesConditions: {
          defaults: {
            [severity]: {
              conditions: [{ op: "GT", value: pick([0, 0.01, 0.05, 5, 100]), sustainSecs: pick([0, 120, 300]) }],
            },
          },
        },
        signalGrouping: chance(0.5) ? { labelNames: ["pod"] } : { signalPerSeries: true },
      },
      chance(0.5) ? `${service} ${signal}` : `${name} ${region}`,
    );
  }
  const datasets = made.filter(({ kind }) => kind.name === "Dataset").slice(0, 20);
  made.push({
    kind: kindNamed("LogAllocationConfig"),
    args: {
      ...({} as { name: string; slug: string }), // A singleton has neither.
      datasetAllocations: datasets.map(({ args: { slug } }, i) => ({
        datasetSlug: slug,
        allocation: { percentOfLicense: i % 3 },
      })),
      defaultDataset: { allocation: { percentOfLicense: 40 } },
    },
  });
  return made;
}
