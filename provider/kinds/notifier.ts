import { boolean, type FieldOptions, list, map, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { httpConfig } from "./shapes/httpConfig";

/** A text that is shown to the notified people. */
const words = (description: string, options?: FieldOptions<string>) =>
  string(description, { ...options, effect: "text" });

const email = shape("Email", "Sends an e-mail.", {
  to: string("The e-mail addresses that receive the notification, separated by commas.", {
    required: "always",
    effect: "target",
    format: "addresses",
  }),
  html: words("The template of the HTML part."),
  text: words("The template of the plain-text part."),
});

const oneIdentity = { required: "`id`, `name` or `username`" };

const responder = shape("Responder", "A person, team or rotation that is notified.", {
  id: string("The responder's id in the on-call service.", oneIdentity),
  name: string("The responder's name.", oneIdentity),
  responderType: string("What the responder is.", { suggestions: ["TEAM", "USER", "ESCALATION", "SCHEDULE"] }),
  username: string("The user name of a person.", oneIdentity),
});

const oncallA = shape("OncallA", "Opens an alert in an on-call service, as Alertmanager's `opsgenie_configs` do.", {
  apiKey: string("The on-call service's API key.", {
    secret: "value",
    required: "always",
    effect: "credential",
  }),
  apiUrl: string("The URL of the on-call service, if it is not the usual one.", {
    unit: "URL",
    effect: "target",
  }),
  description: words("The template of the alert's description."),
  details: map("Additional facts, by which the alert may be routed. Keys stay as you write them.", { effect: "label" }),
  httpConfig: object(httpConfig, undefined, { effect: "delivery", format: "settings" }),
  message: words("The template of the alert's title."),
  note: words("A note added to the alert."),
  priority: string("The alert's priority, in the on-call service's words.", { effect: "delivery" }),
  responders: list(object(responder), "Who is notified.", { unordered: true, effect: "target" }),
  source: string("The name of the alert's source.", { effect: "routes" }),
  tags: string("Tags set on the alert, separated by commas.", { effect: "routes", format: "addresses" }),
});

const oncallB = shape("OncallB", "Opens an incident with links and images, as Alertmanager's `pagerduty_configs` do.", {
  routingKey: string("The integration key of the service's events API.", {
    secret: "value",
    required: "either `routingKey` or `serviceKey`",
    effect: "target",
  }),
  serviceKey: string("The integration key of the service's older API.", {
    secret: "value",
    required: "either `routingKey` or `serviceKey`",
    effect: "target",
  }),
  class: string("The class of the event.", { effect: "routes" }),
  client: string("The name of the event's source, by which the event may be routed.", { effect: "routes" }),
  clientUrl: words("The URL behind `client`.", { unit: "URL" }),
  component: string("The part of the system that is affected.", { effect: "routes" }),
  description: words("The template of the incident's description."),
  details: map("Additional facts, by which the incident may be routed. Keys stay as you write them.", {
    effect: "label",
  }),
  group: string("The cluster or group that is affected.", { effect: "routes" }),
  httpConfig: object(httpConfig, undefined, { effect: "delivery", format: "settings" }),
  images: list(
    object(
      shape("OncallBImage", "An image shown with the incident.", {
        alt: string("The text shown if the image can't be displayed."),
        href: string("Where a click on the image leads.", { unit: "URL" }),
        src: string("The image's URL.", { unit: "URL" }),
      }),
    ),
    "Images shown with the incident.",
    { effect: "text" },
  ),
  links: list(
    object(
      shape("OncallBLink", "A link shown with the incident.", {
        href: string("The link's URL.", { unit: "URL" }),
        text: string("The link's text."),
      }),
    ),
    "Links shown with the incident.",
    { effect: "text" },
  ),
  severity: string("The incident's severity, in the incident service's words.", {
    suggestions: ["critical", "error", "warning", "info"],
    effect: "delivery",
  }),
  url: string("The URL of the incident service, if it is not the usual one.", {
    unit: "URL",
    effect: "target",
  }),
});

const oncallC = shape("OncallC", "Opens an incident with a state message, as Alertmanager's `victorops_configs` do.", {
  apiKey: string("The incident service's API key.", {
    secret: "value",
    required: "always",
    effect: "credential",
  }),
  apiUrl: string("The URL of the incident service, if it is not the usual one.", {
    unit: "URL",
    effect: "target",
  }),
  customFields: map("Additional fields, by which the incident may be routed. Keys stay as you write them.", {
    effect: "label",
  }),
  entityDisplayName: words("The template of the incident's title."),
  httpConfig: object(httpConfig, undefined, { effect: "delivery", format: "settings" }),
  messageType: string("What the message means, in the incident service's words.", { effect: "delivery" }),
  monitoringTool: string("The tool that the incident comes from, by which it may be routed.", { effect: "routes" }),
  routingKey: string("The key that routes the incident to a team.", {
    secret: "value",
    required: "always",
    effect: "target",
  }),
  stateMessage: words("The template of the incident's text."),
});

const chatAction = shape("ChatAction", "A button under a chat message.", {
  confirmField: object(
    shape("ChatConfirmation", "The question asked before the button acts.", {
      title: string("The question's title."),
      text: string("The question."),
      okText: string("The label of the button that confirms."),
      dismissText: string("The label of the button that cancels."),
    }),
  ),
  name: string("The name sent when the button is pressed.", { effect: "delivery" }),
  style: string("The button's look, in the chat service's words."),
  text: string("The button's label.", { required: "always" }),
  type: string("The type of the action, in the chat service's words.", { required: "always", effect: "delivery" }),
  url: string("Where the button leads.", { unit: "URL", effect: "delivery" }),
  value: string("The value sent when the button is pressed.", { effect: "delivery" }),
});

const chat = shape("Chat", "Posts a message in a chat service, as Alertmanager's `slack_configs` do.", {
  apiUrl: string("The chat service's incoming URL, which contains its credential.", {
    unit: "URL",
    secret: "url",
    required: "always",
    effect: "target",
  }),
  actions: list(object(chatAction), "Buttons under the message.", { effect: "text" }),
  callbackId: string("The id under which the chat service reports button presses.", { effect: "delivery" }),
  channel: string("The channel or person that gets the message.", { effect: "target" }),
  color: words("The color of the bar beside the message."),
  fallback: words("The template of the text shown if the message can't be displayed."),
  fields: list(
    object(
      shape("ChatField", "A titled value in a chat message.", {
        title: string("The field's title."),
        value: string("The template of the field's value."),
        short: boolean("Whether the field may stand beside another.", { default: "false" }),
      }),
    ),
    "Titled values shown in the message.",
    { effect: "text" },
  ),
  footer: words("The template of the footer."),
  httpConfig: object(httpConfig, undefined, { effect: "delivery", format: "settings" }),
  iconEmoji: words("The emoji shown as the sender."),
  iconUrl: words("The image shown as the sender.", { unit: "URL" }),
  imageUrl: words("The image shown in the message.", { unit: "URL" }),
  linkNames: boolean("Whether names and channels in the message become links.", {
    default: "false",
    effect: "delivery",
  }),
  mrkdwnIn: list(string(""), "The parts of the message in which markup is read.", {
    unordered: true,
    format: "set",
    effect: "text",
  }),
  pretext: words("The template of the text above the message."),
  shortFields: boolean("The default of `short` for all fields.", {
    default: "false",
    effect: "text",
  }),
  text: words("The template of the message."),
  thumbUrl: words("The small image beside the message.", { unit: "URL" }),
  title: words("The template of the message's title."),
  titleLink: words("Where the title leads.", { unit: "URL" }),
  username: words("The name shown as the sender."),
});

const webhook = shape("Webhook", "Posts the notification to your own URL.", {
  url: string("The URL that receives the notification.", {
    unit: "URL",
    secret: "url",
    required: "always",
    effect: "target",
  }),
  httpConfig: object(httpConfig, undefined, { effect: "delivery", format: "settings" }),
});

const receiver = { required: "exactly one receiver, or `discard`" };

export const notifier = kind({
  name: "Notifier",
  title: "notifier",
  description:
    "A delivery target for alert notifications: e-mail, an on-call or incident service, a chat service or a webhook.",
  wire: { one: "notifier", many: "notifiers" },
  described: ["post", "list"],
  verifiesAddress: true,
  limits: [
    "An edit of a secret outside Pulumi is detected only if the service returns the secret unmasked.",
    "The API spec doesn't list the variables of templates: your service's documentation does. Templates are sent unchanged.",
  ],
  fields: {
    discard: boolean("Drops every notification instead of delivering it.", { ...receiver, effect: "discards" }),
    skipResolved: boolean("Sends nothing when an alert resolves.", { default: "false", effect: "delivery" }),
    email: object(email, undefined, receiver),
    oncallA: object(oncallA, undefined, receiver),
    oncallB: object(oncallB, undefined, receiver),
    oncallC: object(oncallC, undefined, receiver),
    chat: object(chat, undefined, receiver),
    webhook: object(webhook, undefined, receiver),
  },
  example: {
    name: "Checkout on-call",
    slug: "checkout-on-call",
    skipResolved: true,
    oncallB: {
      routingKey: "a-routing-key",
      severity: "critical",
      clientUrl: "https://checkout.example.com",
      details: { runBook: "https://runbooks.example.com/checkout" },
      links: [{ href: "https://dashboards.example.com/checkout", text: "Dashboard" }],
      httpConfig: { tlsConfig: { insecureSkipVerify: false } },
    },
  },
});
