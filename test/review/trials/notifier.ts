import { mail, oncallA, oncallB, oncallC } from "./receivers.js";
import { named, orSilent, type Named } from "./trial.js";

/** A secret says that it changes, and nothing else. */
export const rotated = (...classes: Named["classes"]) => named(classes, "unclear", "secret");
export const told = ["unclear", "laxer"] as const;

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
  oncallA(
    "the key of the on-call service is rotated",
    { oncallA: { apiKey: "canary-oncall-a-key-2" } },
    rotated("credentials-changed"),
  ),
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
  oncallA(
    "nobody is told by name",
    { oncallA: { responders: undefined } },
    named("target-changed", told, "Checkout primary"),
  ),
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
  oncallC(
    "the key of the incident service is rotated",
    { oncallC: { apiKey: "canary-oncall-c-key-2" } },
    rotated("credentials-changed"),
  ),
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
];
