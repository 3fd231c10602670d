import { mail, oncallA, oncallB, oncallC, chat } from "./receivers.js";

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
