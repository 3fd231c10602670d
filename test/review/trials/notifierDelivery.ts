import { rotated, told } from "./notifier.js";
import {
  mail,
  oncallA,
  oncallB,
  oncallC,
  chat,
  hook,
  withPassword,
  withToken,
  withProxy,
  discarding,
} from "./receivers.js";
import { named, orSilent } from "./trial.js";

export const notifierDelivery = [
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
  chat(
    "the button sends another command",
    {
      chat: {
        actions: [
          {
            type: "link",
            name: "ack",
            text: "Take it",
            style: "primary",
            value: "take",
            url: "https://ack.example.com/checkout",
          },
        ],
      },
    },
    orSilent(named("delivery-changed", "unclear")),
  ),
  chat(
    "the button asks before it acts",
    {
      chat: {
        actions: [
          {
            type: "button",
            text: "Acknowledge",
            url: "https://ack.example.com/checkout",
            confirmField: { title: "Sure?", text: "This silences the alert.", okText: "Yes", dismissText: "No" },
          },
        ],
      },
    },
    orSilent(named("delivery-changed", "unclear")),
  ),
  ...[oncallA, oncallB, oncallC, chat].map((edit, i) => {
    const receiver = (["oncallA", "oncallB", "oncallC", "chat"] as const)[i] ?? "chat";
    return edit(
      `the receiver ${receiver} is called with a token`,
      { [receiver]: { httpConfig: { bearerToken: `canary-token-of-${receiver}` } } },
      named("credentials-changed", "unclear", receiver),
    );
  }),
  hook(
    "the webhook is redirected",
    { webhook: { url: "https://hooks.example.com/canary-hook-2" } },
    rotated("target-changed"),
  ),
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
  withToken(
    "the token is rotated",
    { webhook: { httpConfig: { bearerToken: "canary-token-2" } } },
    rotated("credentials-changed"),
  ),
  withToken(
    "the webhook is called without its token",
    { webhook: { httpConfig: undefined } },
    named("credentials-changed", told),
  ),
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
    {
      email: undefined,
      chat: { apiUrl: "https://hooks.chat.example.com/services/canary-chat-3", channel: "#checkout" },
    },
    named("target-changed", "unclear", "email", "chat"),
  ),
  oncallA(
    "the on-call service is replaced by the incident service",
    { oncallA: undefined, oncallB: { routingKey: "canary-oncall-b-key-4" } },
    named("target-changed", "unclear"),
  ),
];
