import { expect, test } from "vitest";
import { ConfigSecret } from "../../../dist/cli/program/item.js";
import { convertText, itemOf, refusalsOf } from "./converted.js";

/** A configuration with one receiver, in JSON: it is YAML, too. */
const receiver = (lists: object, more: object = {}) =>
  JSON.stringify({ ...more, receivers: [{ name: "Team X", ...lists }] });

test.each([
  [
    "e-mail",
    { email_configs: [{ to: "a@example.com", html: "<b>", text: "b" }] },
    { skipResolved: true, email: { to: "a@example.com", html: "<b>", text: "b" } },
  ],
  [
    "opsgenie to oncallA",
    {
      opsgenie_configs: [
        { api_key: "k", message: "m", details: { a: "b" }, responders: [{ type: "team", name: "t" }] },
      ],
    },
    {
      oncallA: {
        apiKey: new ConfigSecret("teamXApiKey", "k"),
        message: "m",
        details: { a: "b" },
        responders: [{ responderType: "TEAM", name: "t" }],
      },
    },
  ],
  [
    "pagerduty to oncallB",
    { pagerduty_configs: [{ routing_key: "k", class: "c", images: [{ src: "s" }], client_url: "u" }] },
    {
      oncallB: {
        routingKey: new ConfigSecret("teamXRoutingKey", "k"),
        class: "c",
        images: [{ src: "s" }],
        clientUrl: "u",
      },
    },
  ],
  [
    "victorops to oncallC",
    { victorops_configs: [{ api_key: "k", routing_key: "r", custom_fields: { a: "b" }, message_type: "WARNING" }] },
    {
      oncallC: {
        apiKey: new ConfigSecret("teamXApiKey", "k"),
        routingKey: new ConfigSecret("teamXRoutingKey", "r"),
        customFields: { a: "b" },
        messageType: "WARNING",
      },
    },
  ],
  [
    "slack to chat",
    {
      slack_configs: [
        {
          api_url: "https://chat",
          channel: "#a",
          short_fields: "true",
          fields: [{ title: "t", value: "v", short: "no" }],
          actions: [{ type: "button", text: "Go", confirm: { ok_text: "Yes" } }],
          mrkdwn_in: ["text"],
        },
      ],
    },
    {
      skipResolved: true,
      chat: {
        apiUrl: new ConfigSecret("teamXApiUrl", "https://chat"),
        channel: "#a",
        shortFields: true,
        fields: [{ title: "t", value: "v", short: false }],
        actions: [{ type: "button", text: "Go", confirmField: { okText: "Yes" } }],
        mrkdwnIn: ["text"],
      },
    },
  ],
  [
    "a webhook",
    { webhook_configs: [{ url: "https://hook" }] },
    { webhook: { url: new ConfigSecret("teamXUrl", "https://hook") } },
  ],
  ["no configuration to discard", {}, { discard: true }],
])("a receiver becomes a notifier: %s", (_, lists, args) => {
  const { name, args: found } = itemOf(receiver(lists));
  expect([name, found]).toEqual(["team-x", { name: "Team X", ...args }]);
});

test("`send_resolved` has Alertmanager's default, which differs by tool", () => {
  const skips = (config: object) => (itemOf(receiver(config)).args as any).skipResolved;
  const url = "https://x";
  expect(skips({ slack_configs: [{ api_url: url }] })).toBe(true);
  expect(skips({ slack_configs: [{ api_url: url, send_resolved: true }] })).toBeUndefined();
  expect(skips({ webhook_configs: [{ url }] })).toBeUndefined();
  expect(skips({ webhook_configs: [{ url, send_resolved: "off" }] })).toBe(true);
});

test("several configurations of a receiver are several notifiers, and each says so", () => {
  const { items } = convertText(
    receiver({ slack_configs: [{ api_url: "a" }, { api_url: "b" }], webhook_configs: [{ url: "c" }] }),
  );
  expect(items.map(({ name }) => name)).toEqual(["team-x-slack", "team-x-slack-2", "team-x-webhook"]);
  for (const { comments } of items) expect(comments[0]).toContain('"Team X" has 3 configurations');
});

test("global settings hold for the receivers that do not say their own", () => {
  const { items, losses } = convertText(
    JSON.stringify({
      global: {
        slack_api_url: "https://chat",
        opsgenie_api_key_file: "/etc/opsgenie",
        pagerduty_url: "https://events",
        http_config: { proxy_url: "http://proxy" },
        smtp_from: "a@example.com",
        resolve_timeout: "5m",
      },
      receivers: [
        { name: "a", slack_configs: [{ channel: "#a" }] },
        { name: "b", slack_configs: [{ api_url: "https://own", http_config: {} }] },
        { name: "c", opsgenie_configs: [{ priority: "P1" }] },
        { name: "d", pagerduty_configs: [{ routing_key: "k" }] },
        { name: "e", slack_configs: [{ channel: "#e" }] },
        { name: "f", email_configs: [{ to: "f" }] },
      ],
    }),
  );
  const httpConfig = { proxyUrl: new ConfigSecret("alertmanagerProxyUrl", "http://proxy") };
  const chat = { apiUrl: new ConfigSecret("slackApiUrl", "https://chat"), httpConfig };
  expect(items.map(({ args }) => args)).toEqual([
    { skipResolved: true, chat: { channel: "#a", ...chat } },
    { skipResolved: true, chat: { apiUrl: new ConfigSecret("bApiUrl", "https://own"), httpConfig: {} } },
    { oncallA: { priority: "P1", apiKey: new ConfigSecret("opsgenieApiKey"), httpConfig } },
    { oncallB: { routingKey: new ConfigSecret("dRoutingKey", "k"), url: "https://events", httpConfig } },
    { skipResolved: true, chat: { channel: "#e", ...chat } },
    { skipResolved: true, email: { to: "f" } },
  ]);
  expect(losses.map(({ item, text }) => `${item}: ${text}`)).toEqual([
    'c: the value of "opsgenie_api_key" is in the file /etc/opsgenie; set it in stack config',
    'global: "smtp_from" is left out: the service sends e-mail itself',
    'global: "resolve_timeout" is left out: it has no counterpart',
  ]);
});

test("credentials of HTTP are secrets; an authorization is a bearer token", () => {
  const http = (http_config: object) =>
    (itemOf(receiver({ webhook_configs: [{ url: "https://x", http_config }] })).args as any).webhook.httpConfig;
  expect(http({ basic_auth: { username: "u", password: "p" }, tls_config: { insecure_skip_verify: "true" } })).toEqual({
    basicAuth: { username: "u", password: new ConfigSecret("teamXPassword", "p") },
    tlsConfig: { insecureSkipVerify: true },
  });
  expect(http({ authorization: { credentials: "t" } })).toEqual({
    bearerToken: new ConfigSecret("teamXBearerToken", "t"),
  });
  expect(http({ bearer_token_file: "/t" })).toEqual({ bearerToken: new ConfigSecret("teamXBearerToken") });
  expect(http({ authorization: { type: "Bearer", credentials_file: "/t" } })).toEqual({
    bearerToken: new ConfigSecret("teamXBearerToken"),
  });
});

test.each(["<secret>", "${SLACK_URL}", "https://chat/$(TOKEN)"])(
  "a placeholder %s is no value of a secret",
  (api_url) => {
    const { args, comments } = itemOf(receiver({ slack_configs: [{ api_url }] }));
    expect(args.chat).toEqual({ apiUrl: new ConfigSecret("teamXApiUrl") });
    expect(comments).toEqual(['the value of "apiUrl" is not in the file; set it in stack config']);
  },
);

test("templates stay, what has no counterpart is lost", () => {
  const { args, comments } = itemOf(
    receiver({
      email_configs: [{ to: "a, b", html: "{{ template x . }}", headers: { Subject: "x" }, smarthost: "y" }],
    }),
  );
  expect(args.email).toEqual({ to: "a, b", html: "{{ template x . }}" });
  expect(comments).toEqual([
    '"headers" has no counterpart and is left out',
    '"smarthost" has no counterpart and is left out',
    "it has several addresses, and a notifier is documented to have one",
  ]);
});

test("a route is lost at the notifiers that it led to", () => {
  const text = [
    "route:",
    "  receiver: all",
    "  group_by: [alertname, job]",
    "  routes:",
    '  - matchers: [ severity = "critical", team =~ "a|b" ]',
    "    repeat_interval: 4h",
    "    routes:",
    "    - match: { x: y }",
    "      receiver: pager",
    "    - match_re: { z: .* }",
    "receivers:",
    "- { name: all, webhook_configs: [ { url: x } ] }",
    "- { name: pager, webhook_configs: [ { url: y } ] }",
  ].join("\n");
  const { losses } = convertText(text);
  expect(
    losses.map(
      ({ line, item, text }) =>
        `${line} ${item}: ${text.replace(" is left out: a notification policy must lead here", "")}`,
    ),
  ).toEqual([
    "1 all: the route of all alerts (group_by alertname, job)",
    '5 all: the route of alerts with severity = "critical" and team =~ "a|b" (repeat_interval 4h)',
    '10 all: the route of alerts with severity = "critical" and team =~ "a|b" and z=~".*"',
    '8 pager: the route of alerts with severity = "critical" and team =~ "a|b" and x="y"',
  ]);
});

test("what cannot be delivered is refused by name, and the rest of the receiver is converted", () => {
  const text = [
    "receivers:",
    "- name: a",
    "  telegram_configs:",
    "  - chat_id: 1",
    "  - chat_id: 2",
    "  slack_configs:",
    "  - channel: '#a'",
    "  pagerduty_configs:",
    "  - description: x",
    "  webhook_configs:",
    "  - url: x",
    "    http_config: { oauth2: { client_id: x } }",
    "  - url: x",
    "    http_config: { bearer_token: x, basic_auth: { username: y } }",
    "  - url: x",
    "    send_resolved: perhaps",
    "  - url: good",
    "  email_configs: { to: x }",
    "- email_configs: []",
    "inhibit_rules:",
    "- equal: [a]",
    "time_intervals:",
    "- name: night",
  ].join("\n");
  expect(refusalsOf(text)).toEqual([
    expect.stringContaining('4: "telegram_configs" has no counterpart'),
    expect.stringContaining('5: "telegram_configs" has no counterpart'),
    "7: it has no `api_url`",
    "9: it has no `routing_key` and no `service_key`",
    "12: `oauth2` has no counterpart, and without it nothing is delivered",
    "14: it has both basic authentication and a bearer token",
    "16: `send_resolved` is neither true nor false",
    '18: "email_configs" is no list',
    "19: the receiver has no name",
    "21: an inhibit rule has no counterpart: monitors do not silence each other",
    '23: the time interval "night" has no counterpart: only a monitor has a schedule',
  ]);
  const { items } = convertText(text);
  expect(items.map(({ args }) => args.webhook)).toEqual([{ url: expect.objectContaining({ value: "good" }) }]);
});

test.each([
  [{ webhook_configs: ["x"] }, "it has no `url`"],
  [{ webhook_configs: [{ url: "x", http_config: "y" }] }, "it is a string instead of a map"],
  [{ pagerduty_configs: [{ routing_key: "k", details: ["a"] }] }, "it is an array instead of a map"],
  [{ slack_configs: [{ api_url: "x", actions: "y" }] }, '"actions" is no list'],
  [{ slack_configs: [{ api_url: "x", title: ["y"] }] }, '"title" is an array instead of a text'],
  [{ slack_configs: [{ api_url: "x", link_names: "perhaps" }] }, '"linkNames" is "perhaps" instead of true or false'],
])("a value of another type is refused: %j", (lists, reason) => {
  expect(refusalsOf(receiver(lists))).toEqual([`1: ${reason}`]);
});
