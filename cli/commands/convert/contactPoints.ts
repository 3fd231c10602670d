import type { JsonObject } from "../../../provider/wire/json";
import { ConfigSecret } from "../../program/item";
import type { ConversionBuilder } from "./conversionBuilder";
import { asRead } from "./environment";
import { addressed, inert, inertKeys, lost, rejects, undelivered } from "./keys";
import { type NamedReceivers, Notifiers } from "./notifiers";
import { anything, mapping, sequence, text, truth } from "../../source/scalars";
import type { KeyTables } from "./schemaReader";
import { Rejection, type SourceNode } from "../../source/sourceNode";

/** The notifier's field for a contact point's type. */
const fields: Readonly<Record<string, string>> = {
  ...{ email: "email", opsgenie: "oncallA", pagerduty: "oncallB", slack: "chat", webhook: "webhook" },
};

// Tables of keys: https://github.com/grafana/alerting/tree/main/receivers, `*/v1/config.go`.

const tables: KeyTables = {
  Email: {
    ...{ addresses: "to", message: "text", subject: lost(), singleEmail: inert },
  },
  OncallA: {
    ...{ apiKey: "api_key", apiUrl: "api_url", autoClose: lost(undefined, ["true"]) },
    ...{ overridePriority: lost(undefined, ["true"]), sendTagsAs: lost(undefined, ["tags"]) },
  },
  Responder: { type: "responder_type" },
  OncallB: { integrationKey: "routing_key", summary: "description", source: lost() },
  Chat: {
    ...{ url: "api_url", recipient: "channel", token: addressed, endpointUrl: addressed },
    ...{ mentionChannel: lost(), mentionUsers: lost(), mentionGroups: lost() },
  },
  Webhook: {
    ...{ httpMethod: rejects("is another method than POST", ["POST"]), http_config: undelivered },
    ...{ authorization_scheme: rejects("is another scheme than Bearer", ["Bearer"]), hmacConfig: undelivered },
    ...{ username: "http_config.", password: "http_config.", authorization_credentials: "http_config." },
    ...{ maxAlerts: lost(), title: lost(), message: lost(), headers: lost(), tlsConfig: lost(), payload: lost() },
  },
  HttpConfig: { authorization_credentials: "bearer_token", username: "basic_auth.", password: "basic_auth." },
};

const pointTable = mapping({ orgId: anything, name: text, receivers: sequence(anything).default([]) });
const receiverTable = mapping({
  ...{ uid: text.optional(), name: anything, type: text, settings: anything },
  disableResolveMessage: truth.default(false),
  ...{ secureSettings: lost(), secureFields: lost(), ...inertKeys("id", "provenance", "isDefault") },
});

/** Grafana's contact points. Each of their receivers becomes a notifier. */
export class ContactPoints {
  readonly #notifiers: Notifiers;

  /** @param isFile Whether they are in a file that Grafana reads, in which it fills in environment variables. */
  constructor(
    private readonly builder: ConversionBuilder,
    readonly isFile = false,
  ) {
    this.#notifiers = new Notifiers(builder, { tables, isProvisioned: isFile });
  }

  /** Converts those of a file; its notification policies are lost at the contact points that they lead to. */
  convert(
    points: readonly SourceNode[],
    policies: readonly SourceNode[] = [],
    intervals: readonly SourceNode[] = [],
  ): void {
    const { builder } = this;
    policies.forEach((policy) => this.#notifiers.enterRoute(policy));
    builder.each(points, (point) => this.#convertPoint(point, points));
    this.#notifiers.tellRoutes();
    intervals.forEach((interval) => this.#notifiers.rejectInterval(interval));
  }

  #convertPoint(at: SourceNode, all: readonly SourceNode[]): void {
    const { builder } = this;
    // The API answers each receiver by itself.
    if (at.at("settings").exists) {
      const name = at.at("name").text ?? "";
      const alike = all.filter((each) => each.file === at.file && each.at("name").text === name);
      return this.#convertReceiver(at, { at, name, count: alike.length });
    }
    const { name: written, receivers } = builder.read(at, pointTable, " of the contact point");
    const name = asRead(at.at("name"), this, builder) ?? written;
    builder.tell(name);
    if (receivers.length === 0) this.#notifiers.addDiscarding(at, name);
    const of = { at, name, count: receivers.length };
    const partName = (receiver: SourceNode) => (receivers.length > 1 ? `${name}, ${receiver.key}` : name);
    builder.each(at.at("receivers").items, (receiver) => this.#convertReceiver(receiver, of), partName);
  }

  #convertReceiver(receiver: SourceNode, of: NamedReceivers): void {
    const { builder } = this;
    const read = builder.read(receiver, receiverTable, " of the contact point");
    const { type, uid, disableResolveMessage: skipResolved } = read;
    const field = Object.hasOwn(fields, type) ? fields[type] : undefined;
    const others = Object.keys(fields).join(", ");
    if (field === undefined)
      throw new Rejection(receiver, `the type "${type}" of a contact point has no counterpart; these have: ${others}`);
    const settings = receiver.at("settings");
    this.#notifiers.add(
      {
        ...{ settings, tool: type, field, skipResolved, uid },
        completed: (read) => {
          const args = { ...read, ...adjusted(read) };
          if (String(args.to).includes(",") && settings.at("singleEmail").text === "true")
            builder.report(settings, "whether its addresses get one e-mail or one each is left out");
          return args;
        },
      },
      of,
    );
  }
}

/** Grafana separates addresses in several ways, and its URL of Opsgenie is that of one operation. */
const adjusted = ({ to, apiUrl }: JsonObject): JsonObject => ({
  ...(typeof to === "string" && {
    to: to
      .split(/[;,\s]+/)
      .filter(Boolean)
      .join(", "),
  }),
  ...(typeof apiUrl === "string" && { apiUrl: withoutOperation(apiUrl) }),
  ...(apiUrl instanceof ConfigSecret && {
    apiUrl: new ConfigSecret(apiUrl.key, apiUrl.value && withoutOperation(apiUrl.value)),
  }),
});

const withoutOperation = (url: string) => url.replace(/v2\/alerts\/?$/, "");
