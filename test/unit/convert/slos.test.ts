import { describe, expect, test } from "vitest";
import { convert } from "../../../dist/cli/commands/convert/convert.js";
import { convertText, itemOf, refusalsOf } from "./converted.js";

const stream = (...documents: readonly object[]) => documents.map((each) => JSON.stringify(each)).join("\n---\n");
const said = (text: string) => convertText(text).losses.map(({ text }) => text);

describe("OpenSLO", () => {
  const query = (text: string, type = "Prometheus") => ({ metricSource: { type, spec: { query: text } } });
  const ratio = { ratioMetric: { good: query("rate(g[5m])"), total: query("rate(t[5m])") } };
  const threshold = { thresholdMetric: query("latency") };
  const object = (kind: string, name: string, spec: object) => ({
    apiVersion: "openslo/v1",
    kind,
    metadata: { name },
    spec,
  });
  const slo = (spec: object, name = "checkout") =>
    object("SLO", name, {
      budgetingMethod: "Occurrences",
      timeWindow: [{ duration: "28d", isRolling: true }],
      indicator: { metadata: { name: "i" }, spec: ratio },
      objectives: [{ target: 0.999 }],
      ...spec,
    });
  const inline = (spec: object) => ({ indicator: { metadata: { name: "i" }, spec } });

  test("an SLO by events", () => {
    expect(itemOf(stream(slo({ service: "shop", description: "Buyers can pay" })))).toMatchObject({
      name: "checkout",
      comments: [],
      args: {
        description: "Buyers can pay",
        labels: { service: "shop" },
        definition: { objective: 99.9, timeWindow: "28d" },
        sli: { customIndicator: { totalQueryTemplate: "rate(t[5m])", goodQueryTemplate: "rate(g[5m])" } },
      },
    });
  });

  test("what an SLO refers to is found in other documents and files", () => {
    const condition = { kind: "burnrate", threshold: 14, lookbackWindow: "1h", alertAfter: "5m" };
    const documents = [
      slo({ indicator: undefined, indicatorRef: "sli", alertPolicies: [{ alertPolicyRef: "policy" }] }),
      object("SLI", "sli", {
        ratioMetric: { bad: query("b"), total: { metricSource: { metricSourceRef: "source", spec: { query: "t" } } } },
      }),
      object("DataSource", "source", { type: "prometheus" }),
      object("AlertPolicy", "policy", { alertWhenBreaching: true, conditions: [{ conditionRef: "fast" }] }),
      object("AlertCondition", "fast", { severity: "page", condition }),
    ];
    const { items, refused } = convert(documents.map((each, i) => ({ path: `${i}.json`, text: JSON.stringify(each) })));
    expect(refused).toEqual([]);
    expect(items[0]?.args).toMatchObject({
      definition: {
        enableBurnRateAlerting: true,
        burnRateAlertingConfig: [{ window: "1h", budget: 2.08333, severity: "critical", labels: { severity: "page" } }],
      },
      sli: { customIndicator: { totalQueryTemplate: "t", badQueryTemplate: "b" } },
    });
    expect(items[0]?.comments).toEqual(["the wait of 5m before the alert is left out"]);
  });

  test("each objective is an SLO of its own", () => {
    const { items, refused } = convertText(
      stream(slo({ objectives: [{ displayName: "Fast", target: 0.57 }, { targetPercent: 99.99 }, { target: 1 }] })),
    );
    expect(items.map(({ name, args }) => [name, (args as any).definition.objective])).toEqual([
      ["checkout-fast", 57],
      ["checkout-2", 99.99],
    ]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      "the objective is 100 percent, and it must be more than 0 and less than 100",
    ]);
  });

  test("a threshold in timeslices is a timeslice indicator", () => {
    const objectives = [{ op: "lte", value: 0.5, target: 0.99, timeSliceTarget: 0.9, timeSliceWindow: 5 }];
    const { args } = itemOf(stream(slo({ ...inline(threshold), budgetingMethod: "Timeslices", objectives })));
    expect((args as any).sli).toEqual({
      customTimesliceIndicator: {
        queryTemplate: "latency",
        condition: { op: "LEQ", value: 0.5 },
        timesliceSize: "TIMESLICE_SIZE_FIVE_MINUTES",
      },
    });
  });

  test("a ratio in timeslices is compared with the share that must be good", () => {
    const objectives = [{ target: 0.99, timeSliceTarget: 0.9, timeSliceWindow: "1m" }];
    const bad = { ratioMetric: { bad: query("b"), total: query("t") } };
    const sliOf = (spec: object) =>
      (itemOf(stream(slo({ ...inline(spec), budgetingMethod: "Timeslices", objectives }))).args as any).sli
        .customTimesliceIndicator;
    expect(sliOf(ratio)).toMatchObject({
      queryTemplate: "(rate(g[5m])) / (rate(t[5m]))",
      condition: { op: "GEQ", value: 0.9 },
    });
    expect(sliOf(bad).queryTemplate).toBe("1 - (b) / (t)");
  });

  test("a counter is measured as a rate, or left with a remark", () => {
    const counter = (good: string) => ({ ratioMetric: { counter: true, good: query(good), total: query("sum(t)") } });
    const args = (good: string) => (itemOf(stream(slo(inline(counter(good))))).args as any).sli.customIndicator;
    expect(args("g")).toEqual({ totalQueryTemplate: "sum(rate(t[5m]))", goodQueryTemplate: "rate(g[5m])" });
    expect(args("max(g)").goodQueryTemplate).toBe("max(g)");
    expect(said(stream(slo(inline(counter("max(g)")))))).toEqual([
      expect.stringContaining("the counter is queried as it is written"),
    ]);
  });

  test.each([
    [{ timeWindow: [{ duration: "1M", calendar: { startTime: "x", timeZone: "y" } }] }, "30d", 2],
    [{ timeWindow: [{ duration: "1Q", isRolling: true }] }, "90d", 1],
    [{ timeWindow: undefined }, "28d", 1],
    [{ timeWindow: [{ duration: "4w", isRolling: true }] }, "4w", 0],
  ])("the time window %j is %s", (spec, window, losses) => {
    const text = stream(slo(spec));
    expect((itemOf(text).args as any).definition.timeWindow).toBe(window);
    expect(said(text).length).toBe(losses);
  });

  test.each([
    [
      { ...inline({ thresholdMetric: query("x", "Datadog") }), objectives: [{ op: "lt", value: 1, target: 0.9 }] },
      "a query of Datadog",
    ],
    [inline({ ratioMetric: { good: query("a >"), total: query("b") } }), "no valid PromQL"],
    [inline({ ratioMetric: { total: query("b") } }), "the ratio needs `total`, and either `good` or `bad`"],
    [inline({ ratioMetric: { raw: query("b") } }), "`rawType` is neither success nor failure"],
    [inline({}), "the indicator needs either `thresholdMetric` or `ratioMetric`"],
    [{ indicator: undefined, indicatorRef: "x" }, 'no document is the SLI "x"'],
    [{ indicator: undefined }, "the SLO needs `indicator` or `indicatorRef`"],
    [{ objectives: [{}] }, "the objective needs `target` or `targetPercent`"],
    [{ objectives: [] }, "the SLO has no objectives"],
    [{ timeWindow: [{ duration: "soon" }] }, '"soon" is no duration such as 28d'],
    [{ budgetingMethod: "RatioTimeslices" }, "the budgeting method RatioTimeslices is not known"],
    [
      { budgetingMethod: "Timeslices", objectives: [{ target: 0.9, timeSliceTarget: 0.9, timeSliceWindow: "10m" }] },
      "a timeslice must be 1 or 5 minutes long, and it is 10m",
    ],
  ])("refused: %j", (spec, reason) => {
    expect(refusalsOf(stream(slo(spec)))).toEqual([expect.stringContaining(reason)]);
  });

  test("documents that give nothing of their own are refused", () => {
    const text = stream(
      ...["Service", "DataSource", "SLI", "AlertNotificationTarget", "Thing"].map((kind) => object(kind, "x", {})),
      { ...slo({}), apiVersion: "openslo/v1alpha" },
    );
    expect(refusalsOf(text).map((each) => each.slice(each.indexOf(": ") + 2))).toEqual([
      'the Service "x" has no counterpart; its SLOs carry its name as the label "service"',
      'the DataSource "x" has no counterpart: the service queries its own data',
      'no SLO that was converted refers to the SLI "x"',
      'the AlertNotificationTarget "x" has no address, so it makes no notifier',
      'the kind "Thing" is not one of OpenSLO v1',
      "the version openslo/v1alpha is not openslo/v1",
    ]);
  });
});

describe("sloth", () => {
  const events = { events: { error_query: "sum(rate(e[{{.window}}]))", total_query: "sum(rate(t[{{ .window }}]))" } };
  const spec = (slo: object) => ({
    version: "prometheus/v1",
    service: "shop",
    labels: { team: "a" },
    slos: [{ name: "pay", objective: 99.9, sli: events, alerting: {}, ...slo }],
  });

  test("an SLO by events, with sloth's burn-rate alerts", () => {
    const alerting = {
      labels: { category: "x" },
      annotations: { runbook: "y" },
      page_alert: { labels: { severity: "critical" } },
      ticket_alert: { disable: "true" },
    };
    const labels = { category: "x", severity: "critical", sloth_severity: "page" };
    expect(itemOf(stream(spec({ alerting })))).toMatchObject({
      name: "shop-pay",
      args: {
        name: "pay",
        labels: { team: "a", sloth_service: "shop", sloth_slo: "pay" },
        annotations: { runbook: "y" },
        definition: {
          objective: 99.9,
          timeWindow: "30d",
          enableBurnRateAlerting: true,
          burnRateAlertingConfig: [
            { window: "1h", budget: 2, severity: "critical", labels },
            { window: "6h", budget: 5, severity: "critical", labels },
          ],
        },
        sli: { customIndicator: { totalQueryTemplate: "sum(rate(t[5m]))", badQueryTemplate: "sum(rate(e[5m]))" } },
      },
    });
  });

  test("without alerts none are sent", () => {
    const off = { disable: "true" };
    const { args } = itemOf(stream(spec({ alerting: { page_alert: off, ticket_alert: off } })));
    expect(args.definition).toEqual({ objective: 99.9, timeWindow: "30d" });
  });

  test("a Kubernetes object has the same content in camel case", () => {
    const text = stream({
      apiVersion: "sloth.slok.dev/v1",
      kind: "PrometheusServiceLevel",
      metadata: { name: "x" },
      spec: {
        service: "shop",
        labels: { team: "a" },
        slos: [
          {
            name: "pay",
            objective: 99.9,
            sli: { events: { errorQuery: events.events.error_query, totalQuery: events.events.total_query } },
            alerting: { ticketAlert: { disable: "true" } },
          },
        ],
      },
    });
    expect(itemOf(text).args).toEqual(itemOf(stream(spec({ alerting: { ticket_alert: { disable: "true" } } }))).args);
  });

  test("a ratio that is already computed counts each moment the same, which is said", () => {
    const text = stream(spec({ sli: { raw: { error_ratio_query: "avg_over_time(r[{{.window}}])" } } }));
    expect((itemOf(text).args as any).sli.customIndicator).toEqual({
      totalQueryTemplate: "(avg_over_time(r[5m])) * 0 + 1",
      badQueryTemplate: "avg_over_time(r[5m])",
    });
    expect(said(text)).toContainEqual(expect.stringContaining("each moment counts the same"));
  });

  test.each([
    [{ sli: { plugin: { id: "x" } } }, "the indicator is a sloth plugin"],
    [{ sli: {} }, "the indicator needs either `events` or `raw`"],
    [{ objective: 100 }, "the objective is 100 percent"],
    [{ objective: "high" }, 'objective is "high" instead of a number'],
    [{ sli: { events: { ...events.events, error_query: "e[{{.window}}" } } }, "no valid PromQL"],
    [{ sli: { events: { error_query: "e" } } }, "the query is missing"],
  ])("refused: %j", (slo, reason) => {
    expect(refusalsOf(stream(spec(slo)))).toEqual([expect.stringContaining(reason)]);
  });

  test("another version is refused", () => {
    expect(refusalsOf(stream({ ...spec({}), version: "prometheus/v2" }))).toEqual([
      expect.stringContaining("is not prometheus/v1"),
    ]);
  });
});

describe("pyrra", () => {
  const object = (indicator: object, spec: object = {}) =>
    stream({
      apiVersion: "pyrra.dev/v1alpha1",
      kind: "ServiceLevelObjective",
      metadata: { name: "p", labels: { "pyrra.dev/team": "a", other: "b" } },
      spec: { target: "99.5", window: "4w", indicator, ...spec },
    });
  const sliOf = (indicator: object) => (itemOf(object(indicator)).args as any).sli.customIndicator;

  test("the indicators", () => {
    expect(sliOf({ ratio: { errors: { metric: 'r{code="5"}' }, total: { metric: "r" } } })).toEqual({
      totalQueryTemplate: "sum(rate(r[5m]))",
      badQueryTemplate: 'sum(rate(r{code="5"}[5m]))',
    });
    expect(sliOf({ latency: { success: { metric: 'h_bucket{le="1"}' }, total: { metric: "h_count" } } })).toEqual({
      totalQueryTemplate: "sum(rate(h_count[5m]))",
      goodQueryTemplate: 'sum(rate(h_bucket{le="1"}[5m]))',
    });
    expect(sliOf({ latencyNative: { latency: "500ms", total: { metric: "h" } } })).toEqual({
      totalQueryTemplate: "histogram_count(sum(rate(h[5m])))",
      goodQueryTemplate: "histogram_fraction(0, 0.5, sum(rate(h[5m]))) * histogram_count(sum(rate(h[5m])))",
    });
    expect(sliOf({ bool_gauge: { metric: "up" } })).toEqual({
      totalQueryTemplate: "sum(count_over_time(up[5m]))",
      goodQueryTemplate: "sum(sum_over_time(up[5m]))",
    });
  });

  test("grouped, with pyrra's burn-rate alerts as shares of the budget", () => {
    const { args } = itemOf(object({ bool_gauge: { metric: "up", grouping: ["a", "b"] } }));
    expect(args).toMatchObject({
      labels: { team: "a", slo: "p" },
      signalGrouping: { labelNames: ["a", "b"] },
      definition: {
        objective: 99.5,
        timeWindow: "28d",
        enableBurnRateAlerting: true,
        burnRateAlertingConfig: [
          { window: "1h", budget: 2.08333, severity: "critical", labels: { severity: "critical" } },
          { window: "6h", budget: 6.25, severity: "critical" },
          { window: "1d", budget: 7.14286, severity: "warn", labels: { severity: "warning" } },
          { window: "4d", budget: 14.2857, severity: "warn" },
        ],
      },
      sli: {
        customDimensionLabels: ["a", "b"],
        customIndicator: { totalQueryTemplate: "sum by (a, b) (count_over_time(up[5m]))" },
      },
    });
  });

  test("a metric's offset comes after the window", () => {
    const { args } = itemOf(object({ bool_gauge: { metric: "up{a='b'} offset 1m" } }));
    expect(args.sli).toEqual({
      customIndicator: {
        totalQueryTemplate: "sum(count_over_time(up{a='b'}[5m] offset 1m))",
        goodQueryTemplate: "sum(sum_over_time(up{a='b'}[5m] offset 1m))",
      },
    });
  });

  test.each([{ disabled: "true" }, { burnrates: "false" }])("alerting %j sends none", (alerting) => {
    const { args } = itemOf(object({ bool_gauge: { metric: "up" } }, { alerting }));
    expect(args.definition).toEqual({ objective: 99.5, timeWindow: "28d" });
  });

  test.each([
    [{}, {}, "the indicator needs one of"],
    [{ bool_gauge: { metric: "sum(up)" } }, {}, "the metric is not a metric's name with label matchers"],
    [{ bool_gauge: { metric: "up" } }, { window: "90s" }, "the time window is not a whole number of minutes"],
    [{ bool_gauge: { metric: "up" } }, { target: "100" }, "the objective is 100 percent"],
  ])("refused: %j %j", (indicator, spec, reason) => {
    expect(refusalsOf(object(indicator, spec))).toEqual([expect.stringContaining(reason)]);
  });
});
