import type { Field, ObjectField, ScalarField } from "../../../provider/schema/field";
import { isObject, type JsonObject, nounOf } from "../../../provider/wire/json";
import { ConfigSecret } from "../../program/item";
import { type SourceNode, Rejection } from "./sourceNode";
import type { Diagnostics, ConversionBuilder } from "./conversionBuilder";
import { numeral, truth, wholeNumeral } from "./scalars";

interface Options {
  /** Keys whose name differs from that of the field on the wire. */
  readonly renamed?: Readonly<Record<string, string>>;
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

  /** The known keys of a map, in the arguments' spelling; the others are lost. */
  object(field: ObjectField, node: SourceNode, except: readonly string[] = []): JsonObject {
    const { members } = field.shape;
    const named = (key: string) =>
      members.find(({ wireName }) => wireName === key) ??
      members.find(({ wireName }) => wireName === this.options.renamed?.[key]);
    const read = mapOf(node).keys.flatMap((key) => {
      if (except.includes(key)) return [];
      const member = named(key);
      if (member !== undefined) return [[member.name, this.#read(member.field, node.at(key), member.name)] as const];
      const inFile = named(key.replace(/_file$/, ""));
      if (inFile?.field.options.secret !== undefined) {
        const where = `in the file ${node.at(key).text}`;
        return [[inFile.name, this.#secret(node.at(key), inFile.name, undefined, where)] as const];
      }
      this.diagnostics.loseKey(node.at(key), key);
      return [];
    });
    return Object.fromEntries(read);
  }

  /** The settings of HTTP. Their authorization is a bearer token. */
  http(field: ObjectField, node: SourceNode): JsonObject {
    const [authorization, oauth2] = [node.at("authorization"), node.at("oauth2")];
    if (oauth2.exists) throw new Rejection(oauth2, "`oauth2` has no counterpart, and without it nothing is delivered");
    const headers = node.at("http_headers");
    const secret = headers.keys.find((key) => ["secrets", "files"].some((part) => headers.at(key, part).exists));
    if (secret !== undefined)
      throw new Rejection(
        headers,
        `the header "${secret}" has no counterpart, and without its secret nothing is delivered`,
      );
    const type = authorization.at("type").text ?? "Bearer";
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
      const isPlaceholder = /^<.*>$|\$\{|\$\(|\{\{/.test(value);
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
    if (node.text === undefined) this.diagnostics.lose(node, "nested details are written as JSON");
    return node.text ?? JSON.stringify(node.value);
  }

  #secret(node: SourceNode, name: string, value: string | undefined, where = "not in the file"): ConfigSecret {
    if (value === undefined) this.diagnostics.lose(node, `the value of "${name}" is ${where}; set it in stack config`);
    const { secretsOf } = this.options;
    return secretsOf === undefined ? new ConfigSecret(name, value) : this.builder.sharedSecret(value, secretsOf, name);
  }
}

function mapOf(node: SourceNode): SourceNode {
  if (!isObject(node.value)) throw new Rejection(node, `it is ${nounOf(node.value)} instead of a map`);
  return node;
}
