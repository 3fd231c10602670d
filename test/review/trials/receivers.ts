import { edits } from "./trial.js";

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

export const oncallB = edits("Notifier", {
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

export const oncallC = edits("Notifier", {
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

export const hook = edits("Notifier", { webhook: { url: "https://hooks.example.com/canary-hook-1" } });
export const withPassword = hook.from({
  webhook: { httpConfig: { basicAuth: { username: "shop", password: "canary-password-1" } } },
});
export const withToken = hook.from({ webhook: { httpConfig: { bearerToken: "canary-token-1" } } });
export const withProxy = hook.from({
  webhook: { httpConfig: { proxyUrl: "http://canary-user:canary-pass@proxy-1.example.com:3128" } },
});
export const discarding = mail.from({ discard: true });
