/**
 * What a field decides for the people who rely on notifications. A field has the effect of the nearest field around it that
 * says one, so that every scalar of a kind has exactly one. What a change of it is called follows from it: `cli/consequences/`.
 */
export const effects = {
  text: "is only read by people: it decides nothing",
  identity: "says which object it is",
  label: "labels by which notifications may be routed; a user may say which of them are text",
  routes: "decides through which policy notifications go",
  target: "decides who is notified: a URL, a key of an integration, a channel, people",
  credential: "lets a receiver or a scraper in",
  delivery: "decides how a notification is delivered, and with which urgency",
  discards: "drops notifications",
  selects: "decides which data is read or counted",
  publishes: "the name under which others find the data",
  describes: "gives the labels of a metric",
  distributes: "decides what can be known of a distribution",
  grouping: "decides which series make one signal",
  threshold: "decides when a condition holds",
  window: "a time: how often, how long or over which span something is looked at",
  coverage: "decides for which series conditions hold",
  schedule: "decides when something is active",
  objective: "what is promised",
  burnRate: "whether alerts on the burn of the budget are sent",
  budget: "a share of a budget",
  precedence: "decides what comes first",
  collects: "decides what is collected or kept",
} as const;
export type Effect = keyof typeof effects;
