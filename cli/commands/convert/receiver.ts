import type { Field, ObjectField, ScalarField } from "../../../provider/schema/field";
import { isObject, type JsonObject, nounOf } from "../../../provider/wire/json";
import type { ConfigSecret } from "../../program/item";
import { type Part, Refusal } from "./part";
import type { Remarks, Report } from "./report";
import { truth } from "./scalars";

// Keys whose name differs from that of the notifier's field on the wire.
const renamed: Readonly<Record<string, string>> = { confirm: "confirm_field", type: "responder_type" };

/** Reads a receiver's configuration by the notifier's schema. */
export class ReceiverReader {
  constructor(
    private readonly report: Report,
    private readonly remarks: Remarks,
    private readonly name: string,
    private readonly options: { readonly isShared?: boolean } = {},
  ) {}

  /** The known keys of a map, in the arguments' spelling; the others are lost. */
  object(field: ObjectField, part: Part, except: readonly string[] = []): JsonObject {
    const read = mapOf(part).keys.flatMap((key) => {
      if (except.includes(key)) return [];
      const member =
        field.shape.members.find(({ wireName }) => wireName === key) ??
        field.shape.members.find(({ wireName }) => wireName === renamed[key]);
      if (member !== undefined) return [[member.name, this.#read(member.field, part.at(key), member.name)] as const];
      const secret = field.shape.members.find(({ wireName, field: { options } }) => {
        return options.secret !== undefined && key === `${wireName}_file`;
      });
      if (secret !== undefined) return [[secret.name, this.#fromFile(part.at(key), secret.name)] as const];
      this.remarks.loseKey(part.at(key), key);
      return [];
    });
    return Object.fromEntries(read);
  }

  /** The settings of HTTP. Their authorization is a bearer token. */
  http(field: ObjectField, part: Part): JsonObject {
    const [authorization, oauth2] = [part.at("authorization"), part.at("oauth2")];
    if (oauth2.exists) throw new Refusal(oauth2, "`oauth2` has no counterpart, and without it nothing is delivered");
    const type = authorization.at("type").text ?? "Bearer";
    if (type.toLowerCase() !== "bearer") {
      throw new Refusal(authorization.at("type"), `an authorization of the type ${type} has no counterpart`);
    }
    const settings = this.object(field, part, ["authorization"]);
    const [credentials, file] = [authorization.at("credentials"), authorization.at("credentials_file")];
    const token = credentials.exists
      ? { bearerToken: this.#secret(credentials.text, "bearerToken") }
      : file.exists
        ? { bearerToken: this.#fromFile(file, "bearerToken") }
        : {};
    const http: JsonObject = { ...settings, ...token };
    if (http.basicAuth !== undefined && http.bearerToken !== undefined) {
      throw new Refusal(part, "it has both basic authentication and a bearer token");
    }
    return http;
  }

  #read(field: Field, part: Part, name: string): unknown {
    return field.visit<unknown>({
      scalar: (scalar) => this.#scalar(scalar, part, name),
      list: ({ item }) => {
        if (!Array.isArray(part.value)) throw new Refusal(part, `"${name}" is no list`);
        return part.items.map((each) => this.#read(item, each, name));
      },
      map: () => Object.fromEntries(mapOf(part).keys.map((key) => [key, this.#mapValue(part.at(key))])),
      object: (object) => this.object(object, part),
    });
  }

  #scalar({ type, options: { secret, suggestions } }: ScalarField, part: Part, name: string): unknown {
    const value = part.text;
    if (value === undefined) throw new Refusal(part, "it is no text");
    if (secret !== undefined) {
      const known = knownSecret(value);
      if (known === undefined)
        this.remarks.lose(part, `the value of "${name}" is not in the file; set it in stack config`);
      return this.#secret(known, name);
    }
    if (type === "boolean") {
      const found = truth.safeParse(value);
      if (!found.success) throw new Refusal(part, `it is ${JSON.stringify(value)} instead of true or false`);
      return found.data;
    }
    // The interface writes its enumerations in capitals.
    return suggestions?.find((each) => each === value.toUpperCase()) ?? value;
  }

  /** A value in a map of texts; a newer Alertmanager also takes nested ones. */
  #mapValue(part: Part): string {
    if (part.text === undefined) this.remarks.lose(part, "nested details are written as JSON");
    return part.text ?? JSON.stringify(part.value);
  }

  #fromFile(part: Part, name: string): ConfigSecret {
    this.remarks.lose(part, `the value of "${name}" is in the file ${part.text}; set it in stack config`);
    return this.#secret(undefined, name);
  }

  #secret(value: string | undefined, field: string): ConfigSecret {
    const words = [this.name, field];
    return this.options.isShared ? this.report.sharedSecret(value, ...words) : this.report.secret(value, ...words);
  }
}

function mapOf(part: Part): Part {
  if (!isObject(part.value)) throw new Refusal(part, `it is ${nounOf(part.value)} instead of a map`);
  return part;
}

/** A secret as it is written; undefined if that is a mask or a placeholder. */
export const knownSecret = (value: string | undefined) =>
  value === undefined || /^<.*>$|\$\{|\$\(|\{\{/.test(value) ? undefined : value;
