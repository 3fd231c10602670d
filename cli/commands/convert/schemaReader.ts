import type { z } from "zod";
import type { Effect } from "../../../provider/schema/effect";
import { type Field, ObjectField, type ScalarField } from "../../../provider/schema/field";
import { isObject, type JsonObject, nounOf } from "../../../provider/wire/json";
import { ConfigSecret } from "../../program/item";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import type { ConversionBuilder } from "./conversionBuilder";
import { provisioned, variableStays } from "./environment";
import { anything, mapping, numeral, truth, wholeNumeral } from "../../source/scalars";

/**
 * What becomes of keys, by the name of their shape: a field of another name on the wire, or why it is not carried over.
 * With a dot behind it, the field is an object, and the key is one of its keys.
 */
export type KeyTables = Readonly<Record<string, Readonly<Record<string, string | z.ZodType>>>>;

export interface ReadingOptions {
  /** The keys that are not fields of the same name, of another tool. */
  readonly tables?: KeyTables;
  /** What has the secrets, if they are the same for all items that they are read for. */
  readonly secretsOf?: string;
  /** Whether Grafana fills in environment variables. */
  readonly isProvisioned?: boolean;
}

/** Reads a map by a schema, in the spelling of the wire. */
export class SchemaReader {
  constructor(
    private readonly builder: ConversionBuilder,
    private readonly options: ReadingOptions = {},
  ) {}

  /** The fields of a map, in the arguments' spelling; what becomes of the other keys is in the tables. */
  object(field: ObjectField, node: SourceNode, except: readonly string[] = [], outer?: Effect): JsonObject {
    const { name, members } = field.shape;
    const table = this.options.tables?.[name] ?? {};
    const fates: Record<string, z.ZodType> = {};
    const read: [string, unknown][] = [];
    for (const key of mapOf(node).keys) {
      const fate = Object.hasOwn(table, key) ? table[key] : key;
      const named = (name: unknown) =>
        except.includes(key) ? undefined : members.find(({ wireName }) => wireName === name);
      const part = typeof fate === "string" && fate.endsWith(".") ? fate.slice(0, -1) : undefined;
      const [member, value] = [named(part ?? fate), node.at(key)];
      const effect = member?.field.options.effect ?? outer;
      const inFile = typeof fate === "string" ? named(fate.replace(/_file$/, "")) : undefined;
      if (part !== undefined && member?.field instanceof ObjectField) {
        const others = node.keys.filter((each) => table[each] !== fate);
        // The first of its keys reads all of them.
        if (node.keys.find((each) => !others.includes(each)) === key)
          read.push([member.name, this.object(member.field, node, others, effect)]);
      } else if (member !== undefined) {
        read.push([member.name, this.#read(member.field, value, member.name, effect)]);
      } else if (inFile?.field.options.secret !== undefined)
        read.push([inFile.name, this.#secret(value, inFile.name, undefined, `in the file ${value.text}`)]);
      else if (!except.includes(key)) {
        if (typeof fate === "object") fates[key] = fate;
        continue;
      }
      fates[key] = anything;
    }
    this.builder.read(node, mapping(fates));
    return Object.fromEntries(read);
  }

  /** The settings of HTTP. Their authorization is a bearer token. */
  http(field: ObjectField, node: SourceNode): JsonObject {
    const authorization = node.at("authorization");
    const headers = node.at("http_headers");
    const secret = headers.keys.find((key) => ["secrets", "files"].some((part) => headers.at(key, part).exists));
    if (secret !== undefined)
      throw new Rejection(
        headers,
        `the header "${secret}" has no counterpart, and without its secret nothing is delivered`,
      );
    const type = authorization.at("type").text ?? (authorization.at("type").exists ? "?" : "Bearer");
    if (type.toLowerCase() !== "bearer") {
      throw new Rejection(authorization.at("type"), `an authorization of the type ${type} has no counterpart`);
    }
    const settings = this.object(field, node, ["authorization"]);
    const http = authorization.exists ? { ...settings, ...this.object(field, authorization, ["type"]) } : settings;
    if (http.basicAuth !== undefined && http.bearerToken !== undefined) {
      throw new Rejection(node, "it has both basic authentication and a bearer token");
    }
    return http;
  }

  #read(field: Field, node: SourceNode, name: string, effect: Effect | undefined): unknown {
    return field.visit<unknown>({
      scalar: (scalar) => this.#scalar(scalar, node, name, effect),
      list: ({ item }) => {
        if (!Array.isArray(node.value)) throw new Rejection(node, `${node.named} is not a list`);
        return node.items.map((each) => this.#read(item, each, name, effect));
      },
      map: () => Object.fromEntries(mapOf(node).keys.map((key) => [key, this.#mapValue(node.at(key), effect)])),
      object: (object) => this.object(object, node, [], effect),
    });
  }

  #scalar({ type, options }: ScalarField, node: SourceNode, name: string, effect: Effect | undefined): unknown {
    const { secret, suggestions, required } = options;
    const value = secret === undefined ? this.#text(node, effect) : node.text;
    if (value === undefined) throw new Rejection(node, `${node.named} is ${nounOf(node.value)} instead of a string`);
    const isAddress = effect === "target" || (secret !== undefined && required !== undefined);
    if (isAddress && this.options.tables !== undefined && value.includes("{{")) {
      const reason = "is a template, which picks the target for each alert; a notifier has one";
      throw new Rejection(node, `the address in ${node.named} ${reason}`);
    }
    if (secret !== undefined || hasPassword.test(value)) {
      let isPlaceholder = /^<.*>$|^\[REDACTED\]$|^\*+$|^\$\w+|\$\{|\$\(|\{\{/.test(value);
      const isAsWritten = secret !== undefined && this.options.isProvisioned === true;
      const found = isAsWritten ? provisioned(value, () => (isPlaceholder = true)) : value;
      return this.#secret(node, name, isPlaceholder ? undefined : found);
    }
    if (type !== "string") {
      const found = { boolean: truth, number: numeral, integer: wholeNumeral }[type].safeParse(value);
      if (!found.success) throw new Rejection(node, `${node.named} ${found.error.issues[0]?.message ?? ""}`);
      return found.data;
    }
    // The API spells its enumerations in capitals.
    return suggestions?.find((each) => each === value.toUpperCase()) ?? value;
  }

  /** A text as the other tool reads it. What only people read has no effect. */
  #text(node: SourceNode, effect: Effect | undefined): string | undefined {
    const { text } = node;
    if (this.options.isProvisioned !== true || text === undefined) return text;
    return provisioned(text, (variable) => {
      const reason = `has the environment variable ${variable}, which Grafana fills in: write its value in its place`;
      if (effect === "target") throw new Rejection(node, `the address in ${node.named} ${reason}`);
      this.builder[effect === "text" ? "report" : "lose"](node, variableStays(variable, text));
    });
  }

  /** A value in a map of strings; newer versions of Alertmanager also accept nested values. */
  #mapValue(node: SourceNode, effect: Effect | undefined): string {
    const text = this.#text(node, effect);
    if (text === undefined) this.builder.report(node, "nested details are written as JSON");
    return text ?? JSON.stringify(node.value);
  }

  #secret(node: SourceNode, name: string, value: string | undefined, where = "not in the file"): ConfigSecret {
    if (value === undefined)
      this.builder.report(node, `the value of ${node.named} is ${where}; set it in stack config`);
    const { secretsOf } = this.options;
    return secretsOf === undefined ? new ConfigSecret(name, value) : this.builder.sharedSecret(value, secretsOf, name);
  }
}

/** A URL with a user, and perhaps a password. */
const hasPassword = /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]*@/i;

function mapOf(node: SourceNode): SourceNode {
  const { value, named } = node;
  if (value === undefined) throw new Rejection(node, `${named} is missing`);
  if (!isObject(value)) throw new Rejection(node, `${named} is ${nounOf(value)} instead of a map`);
  return node;
}
