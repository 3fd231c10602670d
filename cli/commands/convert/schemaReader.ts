import type { z } from "zod";
import type { Field, ObjectField, ScalarField } from "../../../provider/schema/field";
import { isObject, type JsonObject, nounOf } from "../../../provider/wire/json";
import { ConfigSecret } from "../../program/item";
import { type SourceNode, Rejection } from "./sourceNode";
import type { Diagnostics, ConversionBuilder } from "./conversionBuilder";
import { anything, mapping, numeral, truth, wholeNumeral } from "./scalars";

/** What becomes of keys, by the name of their shape: a field of another name on the wire, or why it is not carried over. */
export type KeyTables = Readonly<Record<string, Readonly<Record<string, string | z.ZodType>>>>;

interface Options {
  /** The keys that are not fields of the same name. */
  readonly tables?: KeyTables;
  /** What has the secrets, if they are the same for all items that they are read for. */
  readonly secretsOf?: string;
}

/** Reads a map by a schema, in the spelling of the wire. */
export class SchemaReader {
  constructor(
    private readonly builder: ConversionBuilder,
    private readonly diagnostics: Diagnostics,
    private readonly options: Options = {},
  ) {}

  /** The fields of a map, in the arguments' spelling; what becomes of the other keys is in the tables. */
  object({ shape: { name, members } }: ObjectField, node: SourceNode, except: readonly string[] = []): JsonObject {
    const table = this.options.tables?.[name] ?? {};
    const fates: Record<string, z.ZodType> = {};
    const read: [string, unknown][] = [];
    for (const key of mapOf(node).keys) {
      const fate = Object.hasOwn(table, key) ? table[key] : key;
      const named = (name: unknown) =>
        except.includes(key) ? undefined : members.find(({ wireName }) => wireName === name);
      const [member, value] = [named(fate), node.at(key)];
      const inFile = typeof fate === "string" ? named(fate.replace(/_file$/, "")) : undefined;
      if (member !== undefined) read.push([member.name, this.#read(member.field, value, member.name)]);
      else if (inFile?.field.options.secret !== undefined)
        read.push([inFile.name, this.#secret(value, inFile.name, undefined, `in the file ${value.text}`)]);
      else if (!except.includes(key)) {
        if (typeof fate === "object") fates[key] = fate;
        continue;
      }
      fates[key] = anything;
    }
    node.read(mapping(fates), this.diagnostics.loseKey);
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

  #read(field: Field, node: SourceNode, name: string): unknown {
    return field.visit<unknown>({
      scalar: (scalar) => this.#scalar(scalar, node, name),
      list: ({ item }) => {
        if (!Array.isArray(node.value)) throw new Rejection(node, `"${name}" is not a list`);
        return node.items.map((each) => this.#read(item, each, name));
      },
      map: () => Object.fromEntries(mapOf(node).keys.map((key) => [key, this.#mapValue(node.at(key))])),
      object: (object) => this.object(object, node),
    });
  }

  #scalar({ type, options: { secret, suggestions } }: ScalarField, node: SourceNode, name: string): unknown {
    const value = node.text;
    if (value === undefined) throw new Rejection(node, `"${name}" is ${nounOf(node.value)} instead of a string`);
    if (secret !== undefined) {
      const isPlaceholder = /^<.*>$|^\[REDACTED\]$|^\*+$|^\$\w+|\$\{|\$\(|\{\{/.test(value);
      return this.#secret(node, name, isPlaceholder ? undefined : value);
    }
    if (type !== "string") {
      const found = { boolean: truth, number: numeral, integer: wholeNumeral }[type].safeParse(value);
      if (!found.success) throw new Rejection(node, `"${name}" ${found.error.issues[0]?.message ?? ""}`);
      return found.data;
    }
    // The API spells its enumerations in capitals.
    return suggestions?.find((each) => each === value.toUpperCase()) ?? value;
  }

  /** A value in a map of strings; newer versions of Alertmanager also accept nested values. */
  #mapValue(node: SourceNode): string {
    if (node.text === undefined) this.diagnostics.report(node, "nested details are written as JSON");
    return node.text ?? JSON.stringify(node.value);
  }

  #secret(node: SourceNode, name: string, value: string | undefined, where = "not in the file"): ConfigSecret {
    if (value === undefined)
      this.diagnostics.report(node, `the value of "${name}" is ${where}; set it in stack config`);
    const { secretsOf } = this.options;
    return secretsOf === undefined ? new ConfigSecret(name, value) : this.builder.sharedSecret(value, secretsOf, name);
  }
}

function mapOf(node: SourceNode): SourceNode {
  if (!isObject(node.value)) throw new Rejection(node, `it is ${nounOf(node.value)} instead of a map`);
  return node;
}
