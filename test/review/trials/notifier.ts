import { edits, named, orSilent, type Named } from "./trial.js";

export const mail = edits("Notifier", {
  email: {
    to: "checkout@example.com, oncall@example.com",
    html: "<b>{{ .Title }}</b>",
    text: "{{ .Title }}",
  },
});

export const oncallA = edits("Notifier", {
  oncallA: {
    apiKey: "canary-oncall-a-key",
    apiUrl: "https://api.eu.oncall.example.com",
    description: "{{ .Description }}",
    details: { runBook: "https://runbooks.example.com/checkout" },
    message: "{{ .Title }}",
    note: "from the shop",
    priority: "P1",
    source: "observability",
    tags: "checkout,critical",
    responders: [
      { id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" },
      { name: "Checkout backup", responderType: "ESCALATION" },
      { username: "lead@example.com", responderType: "USER" },
    ],
  },
});

const oncallB = edits("Notifier", {
  oncallB: {
    routingKey: "canary-oncall-b-key",
    severity: "critical",
    url: "https://events.eu.incidents.example.com/v2/enqueue",
    class: "latency",
    client: "Observability",
    clientUrl: "https://observability.example.com",
    component: "checkout-api",
    description: "{{ .Title }}",
    details: { region: "{{ .Labels.region }}" },
    group: "shop-prod",
    images: [{ src: "https://charts.example.com/checkout.png", alt: "Errors", href: "https://charts.example.com" }],
    links: [{ href: "https://dashboards.example.com/checkout", text: "Dashboard" }],
  },
});

const oncallC = edits("Notifier", {
  oncallC: {
    apiKey: "canary-oncall-c-key",
    apiUrl: "https://alert.incidents.example.com/integrations/generic",
    routingKey: "canary-oncall-c-routing",
    messageType: "CRITICAL",
    entityDisplayName: "{{ .Title }}",
    monitoringTool: "observability",
    stateMessage: "{{ .Description }}",
    customFields: { team: "checkout" },
  },
});

export const chat = edits("Notifier", {
  chat: {
    apiUrl: "https://hooks.chat.example.com/services/canary-chat",
    channel: "#checkout-alerts",
    title: "{{ .Title }}",
    text: "{{ .Description }}",
    color: "danger",
    mrkdwnIn: ["text", "pretext"],
    linkNames: true,
    actions: [{ type: "button", text: "Acknowledge", url: "https://ack.example.com/checkout" }],
    fields: [{ title: "Region", value: "{{ .Labels.region }}", short: true }],
  },
});

const hook = edits("Notifier", { webhook: { url: "https://hooks.example.com/canary-hook-1" } });
const withPassword = hook.from({
  webhook: { httpConfig: { basicAuth: { username: "shop", password: "canary-password-1" } } },
});
const withToken = hook.from({ webhook: { httpConfig: { bearerToken: "canary-token-1" } } });
const withProxy = hook.from({ webhook: { httpConfig: { proxyUrl: "http://canary-user:canary-pass@proxy-1.example.com:3128" } } });
const discarding = mail.from({ discard: true });

/** A secret says that it changes, and nothing else. */
const rotated = (...classes: Named["classes"]) => named(classes, "unclear", "secret");
const told = ["unclear", "laxer"] as const;

export const notifier = [
  mail(
    "the mails go to another team",
    { email: { to: "platform@example.com" } },
    named("target-changed", told, "platform@example.com"),
  ),
  mail(
    "one of two recipients is dropped",
    { email: { to: "checkout@example.com" } },
    named("target-changed", told, "oncall@example.com"),
  ),
  mail(
    "a typo in the recipient's address",
    { email: { to: "checkout@example.com, oncal@example.com" } },
    named("target-changed", told, "oncal@example.com"),
  ),
  oncallA("the key of the on-call service is rotated", { oncallA: { apiKey: "canary-oncall-a-key-2" } }, rotated("credentials-changed")),
  oncallA(
    "the on-call service is called in another region",
    { oncallA: { apiUrl: "https://api.us.oncall.example.com" } },
    named("target-changed", "unclear", "api.eu.oncall.example.com", "api.us.oncall.example.com"),
  ),
  oncallA(
    "the usual address of the on-call service is used",
    { oncallA: { apiUrl: undefined } },
    named("target-changed", "unclear", "api.eu.oncall.example.com"),
  ),
  oncallA(
    "the alerts wake nobody: priority 5",
    { oncallA: { priority: "P5" } },
    named("delivery-changed", ["unclear", "laxer"], "P1", "P5"),
  ),
  oncallA("the priority is removed", { oncallA: { priority: undefined } }, named("delivery-changed", told, "P1")),
  oncallA(
    "the tags that the on-call service routes by change",
    { oncallA: { tags: "checkout,low" } },
    named(["delivery-changed", "routing-changed"], told, "low"),
  ),
  oncallA(
    "the backup is not told any more",
    {
      oncallA: {
        responders: [
          { id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" },
          { username: "lead@example.com", responderType: "USER" },
        ],
      },
    },
    named("target-changed", told, "Checkout backup"),
  ),
  oncallA("nobody is told by name", { oncallA: { responders: undefined } }, named("target-changed", told, "Checkout primary")),
  oncallA(
    "a team of the same name has another id",
    {
      oncallA: {
        responders: [
          { id: "99999999", name: "Checkout primary", responderType: "TEAM" },
          { name: "Checkout backup", responderType: "ESCALATION" },
          { username: "lead@example.com", responderType: "USER" },
        ],
      },
    },
    named("target-changed", told, "99999999"),
  ),
  oncallA(
    "a responder is a schedule instead of an escalation",
    {
      oncallA: {
        responders: [
          { id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" },
          { name: "Checkout backup", responderType: "SCHEDULE" },
          { username: "lead@example.com", responderType: "USER" },
        ],
      },
    },
    named("target-changed", told, "SCHEDULE"),
  ),
  oncallA(
    "another person is told",
    {
      oncallA: {
        responders: [
          { id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" },
          { name: "Checkout backup", responderType: "ESCALATION" },
          { username: "intern@example.com", responderType: "USER" },
        ],
      },
    },
    named("target-changed", told, "lead@example.com", "intern@example.com"),
  ),
  oncallA(
    "the source of the alerts has another name",
    { oncallA: { source: "shop" } },
    orSilent(named(["delivery-changed", "routing-changed"], "unclear", "shop")),
  ),
  oncallB(
    "the integration key is another service's",
    { oncallB: { routingKey: "canary-oncall-b-key-2" } },
    rotated("target-changed", "credentials-changed"),
  ),
  oncallB(
    "the key is one of the older interface",
    { oncallB: { routingKey: undefined, serviceKey: "canary-oncall-b-service" } },
    named(["target-changed", "credentials-changed"], "unclear"),
  ),
  oncallB(
    "incidents are opened as warnings",
    { oncallB: { severity: "warning" } },
    named("delivery-changed", ["unclear", "laxer"], "critical", "warning"),
  ),
  oncallB(
    "incidents are opened in another region",
    { oncallB: { url: "https://events.us.incidents.example.com/v2/enqueue" } },
    named("target-changed", "unclear", "events.us"),
  ),
  ...(["class", "component", "group", "client"] as const).map((field) =>
    oncallB(
      `the ${field} of the event, by which some route`,
      { oncallB: { [field]: "renamed" } },
      orSilent(named(["delivery-changed", "routing-changed"], "unclear", "renamed")),
    ),
  ),
  oncallC("the key of the incident service is rotated", { oncallC: { apiKey: "canary-oncall-c-key-2" } }, rotated("credentials-changed")),
  oncallC(
    "incidents are routed to another team",
    { oncallC: { routingKey: "canary-oncall-c-routing-2" } },
    rotated("target-changed", "credentials-changed"),
  ),
  oncallC(
    "incidents are only information",
    { oncallC: { messageType: "INFO" } },
    named("delivery-changed", ["unclear", "laxer"], "CRITICAL", "INFO"),
  ),
  oncallC(
    "the incident service has another address",
    { oncallC: { apiUrl: "https://alert.other.example.com/integrations/generic" } },
    named("target-changed", "unclear", "alert.other.example.com"),
  ),
  oncallC(
    "custom fields, by which some route",
    { oncallC: { customFields: { team: "platform" } } },
    orSilent(named(["delivery-changed", "routing-changed"], "unclear", "platform")),
  ),
  oncallC(
    "the incident is said to come from another tool",
    { oncallC: { monitoringTool: "shop" } },
    orSilent(named(["delivery-changed", "routing-changed"], "unclear", "shop")),
  ),
  chat(
    "the messages go to a channel that nobody reads",
    { chat: { channel: "#checkout-noise" } },
    named("target-changed", told, "#checkout-alerts", "#checkout-noise"),
  ),
  chat("the channel is removed", { chat: { channel: undefined } }, named("target-changed", told, "#checkout-alerts")),
  chat(
    "the address of the chat is redirected",
    { chat: { apiUrl: "https://hooks.chat.example.com/services/canary-chat-2" } },
    rotated("target-changed", "credentials-changed"),
  ),
  chat(
    "names in the message mention nobody any more",
    { chat: { linkNames: false } },
    orSilent(named("delivery-changed", ["unclear", "laxer"])),
  ),
  chat(
    "the button acknowledges elsewhere",
    { chat: { actions: [{ type: "button", text: "Acknowledge", url: "https://ack.example.com/platform" }] } },
    orSilent(named("delivery-changed", "unclear")),
  ),
  hook("the webhook is redirected", { webhook: { url: "https://hooks.example.com/canary-hook-2" } }, rotated("target-changed")),
  withPassword(
    "the password is rotated",
    { webhook: { httpConfig: { basicAuth: { password: "canary-password-2" } } } },
    rotated("credentials-changed"),
  ),
  withPassword(
    "another user signs in",
    { webhook: { httpConfig: { basicAuth: { username: "shop-v2" } } } },
    named("credentials-changed", "unclear", "shop-v2"),
  ),
  withPassword(
    "a token takes the place of the password",
    { webhook: { httpConfig: { basicAuth: undefined, bearerToken: "canary-token-3" } } },
    named("credentials-changed", "unclear"),
  ),
  withToken("the token is rotated", { webhook: { httpConfig: { bearerToken: "canary-token-2" } } }, rotated("credentials-changed")),
  withToken("the webhook is called without its token", { webhook: { httpConfig: undefined } }, named("credentials-changed", told)),
  withProxy(
    "the proxy is another one",
    { webhook: { httpConfig: { proxyUrl: "http://canary-user:canary-pass@proxy-2.example.com:3128" } } },
    rotated("delivery-changed", "target-changed", "credentials-changed"),
  ),
  withProxy(
    "the receiver is called without the proxy",
    { webhook: { httpConfig: undefined } },
    named(["delivery-changed", "target-changed", "credentials-changed"], told),
  ),
  hook(
    "certificates are not verified any more",
    { webhook: { httpConfig: { tlsConfig: { insecureSkipVerify: true } } } },
    named(["delivery-changed", "credentials-changed"], "unclear"),
  ),
  oncallA(
    "resolved alerts are not told any more",
    { skipResolved: true },
    named("delivery-changed", "laxer", "resolve"),
  ),
  oncallA.from({ skipResolved: true })(
    "resolved alerts are told, too",
    { skipResolved: undefined },
    named("delivery-changed", "stricter", "resolve"),
  ),
  mail("the notifier discards for a migration", { discard: true }, named("discarded", "laxer")),
  mail("the receiver is removed, all is discarded", { discard: true, email: undefined }, named("discarded", "laxer")),
  discarding("the notifier delivers again", { discard: undefined }, named("discarded", "stricter")),
  mail(
    "a chat takes the place of mails",
    { email: undefined, chat: { apiUrl: "https://hooks.chat.example.com/services/canary-chat-3", channel: "#checkout" } },
    named("target-changed", "unclear", "email", "chat"),
  ),
  oncallA(
    "the on-call service is replaced by the incident service",
    { oncallA: undefined, oncallB: { routingKey: "canary-oncall-b-key-4" } },
    named("target-changed", "unclear"),
  ),
];

/** Texts of the message: people are told all the same. */
export const notifierTexts = [
  mail("the mail's templates", { email: { html: "<i>{{ .Title }}</i>", text: "{{ .Title }}: {{ .Value }}" } }),
  oncallA("texts of an alert", {
    oncallA: { description: "Errors: {{ .Description }}", message: "Shop: {{ .Title }}", note: "see the run book" },
  }),
  oncallA("facts shown with an alert", { oncallA: { details: { runBook: "https://wiki.example.com/checkout" } } }),
  oncallB("texts, links and images of an incident", {
    oncallB: {
      clientUrl: "https://o11y.example.com",
      description: "Shop: {{ .Title }}",
      details: { region: "{{ .Labels.region }}", pod: "{{ .Labels.pod }}" },
      images: [],
      links: [{ href: "https://dashboards.example.com/shop", text: "Shop" }],
    },
  }),
  oncallC("texts of an incident message", {
    oncallC: { entityDisplayName: "Shop: {{ .Title }}", stateMessage: "{{ .Description }} ({{ .Value }})" },
  }),
  chat("the look of a chat message", {
    chat: {
      color: "warning",
      title: "Shop: {{ .Title }}",
      titleLink: "https://dashboards.example.com/checkout",
      text: "{{ .Value }}",
      pretext: "Look:",
      fallback: "{{ .Title }}",
      footer: "by the shop",
      iconEmoji: ":fire:",
      iconUrl: "https://icons.example.com/fire.png",
      imageUrl: "https://charts.example.com/checkout.png",
      thumbUrl: "https://charts.example.com/small.png",
      username: "Shop alerts",
      shortFields: true,
      callbackId: "checkout",
      fields: [{ title: "Pod", value: "{{ .Labels.pod }}" }],
    },
  }),
];
