import { environmentVariable, namespace } from "../schema/names";
import { settings as schema } from "../schema/settings";
import { ConfigurationError } from "./errors";
import { type SettingTexts, signatureOf } from "./settingTexts";

/** The provider's configuration, as `provider/schema/settings.ts` describes it. */
export interface Settings {
  /** Never ends with a slash. */
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly validate: "preview" | "always" | "never";
  readonly adopt: Adopt;
  readonly slugPrefix: string;
  readonly onMissingDelete: "fail" | "retain";
  readonly secretMasks: readonly string[];
  readonly maxConcurrency: number;
  readonly requestTimeoutSecs: number;
  readonly retryBudgetSecs: number;
  readonly allowInsecure: boolean;
  /** A digest to compare with another process's settings; see `signatureOf`. */
  readonly signature: string;
}

/** Whether a create takes over an existing object: never, only if it is identical, or always. */
export type Adopt = false | "identical" | true;

/** Reads and checks each setting only when it is used: a preview that sends no request needs no token. */
export function readSettings(text: SettingTexts): Settings {
  const required = (name: keyof Settings): string => {
    const value = text(name);
    if (value === undefined) {
      const secret = schema.fields[name]?.options.secret === undefined ? "" : "--secret ";
      throw new ConfigurationError(
        `no ${name}: run "pulumi config set ${secret}${namespace}:${name} …" or set ${environmentVariable(name)}`,
      );
    }
    return value;
  };
  const choice = <const T extends string>(name: keyof Settings, values: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback;
    const found = values.find((each) => each === value);
    if (found === undefined) throw refusal(name, `one of ${values.map((each) => `"${each}"`).join(", ")}`);
    return found;
  };
  const wholeNumber = (name: keyof Settings, fallback: number): number => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isSafeInteger(value) || value < 1) throw refusal(name, "a whole number of at least 1");
    return value;
  };
  return onceEach({
    get baseUrl() {
      return readBaseUrl(required("baseUrl"), this.allowInsecure);
    },
    get apiToken() {
      const token = required("apiToken");
      // Other characters cannot be sent in a header: the HTTP client would fail with a message that quotes the token.
      if (!/^[\x21-\x7e]+$/.test(token)) throw refusal("apiToken", "printable ASCII without spaces or line breaks");
      return token;
    },
    get validate() {
      return choice("validate", ["preview", "always", "never"], "preview");
    },
    get adopt() {
      return ({ false: false, identical: "identical", true: true } as const)[
        choice("adopt", ["false", "identical", "true"], "false")
      ];
    },
    get slugPrefix() {
      return text("slugPrefix") ?? "";
    },
    get onMissingDelete() {
      return choice("onMissingDelete", ["fail", "retain"], "fail");
    },
    get secretMasks() {
      return readList("secretMasks", text("secretMasks"));
    },
    get maxConcurrency() {
      return wholeNumber("maxConcurrency", 16);
    },
    get requestTimeoutSecs() {
      return wholeNumber("requestTimeoutSecs", 30);
    },
    get retryBudgetSecs() {
      return wholeNumber("retryBudgetSecs", 60);
    },
    get allowInsecure() {
      return choice("allowInsecure", ["true", "false"], "false") === "true";
    },
    get signature() {
      return signatureOf(text, Object.keys(schema.fields));
    },
  });
}

/** Makes each getter keep its first result: every verb reads some settings. */
function onceEach<Getters extends object>(object: Getters): Getters {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    if (get === undefined) continue;
    Object.defineProperty(object, name, {
      get() {
        const value: unknown = get.call(object);
        Object.defineProperty(object, name, { value });
        return value;
      },
    });
  }
  return object;
}

function readBaseUrl(text: string, allowInsecure: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refusal("baseUrl", "a URL like https://config.example.com");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refusal("baseUrl", "an https or http URL");
  if (url.username !== "" || url.password !== "") {
    throw refusal("baseUrl", "a URL without credentials; the token goes into apiToken");
  }
  if (url.search !== "" || url.hash !== "") throw refusal("baseUrl", "a URL without query and fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecure) {
    throw new ConfigurationError(
      `baseUrl "${text}" would send the API token unencrypted: use https, or set ${namespace}:allowInsecure to true`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

function readList(name: keyof Settings, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  let value: unknown;
  try {
    // Structured stack config and provider arguments arrive as JSON.
    value = JSON.parse(text);
  } catch {
    return text.split(",").map((each) => each.trim());
  }
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string")) {
    throw refusal(name, "a list of strings, with commas or as JSON");
  }
  return value;
}

// Does not quote the value: it may be a secret in the wrong place.
function refusal(name: keyof Settings, expected: string): ConfigurationError {
  return new ConfigurationError(`${namespace}:${name} must be ${expected}`);
}
