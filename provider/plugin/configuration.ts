import { CheckFailure, CheckResponse, ConfigureResponse, DiffResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { CheckRequest, ConfigureRequest, DiffRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { isDeepStrictEqual } from "node:util";
import { assertReadable, readSettings } from "../client/settings";
import { readMap, type SettingTexts, settingTexts } from "../client/settingTexts";
import { namespace } from "../schema/names";
import { settings } from "../schema/settings";
import { type Path, valueAt } from "../schema/walk";
import { misspelledSettings } from "../client/misspelled";
import { unknown, unknownPaths } from "../values/unknown";
import type { JsonObject } from "../wire/json";
import type { PluginProcess } from "./pluginProcess";
import { received } from "./values";

const known = Object.keys(settings.fields);
/** The engine's own. */
const ofEngine = ["version", "pluginDownloadURL"];

/** Fails if a setting is missing or wrong, and warns of misspelled ones: stack config may have keys of the program's own. */
export function checkConfig(host: PluginProcess, request: CheckRequest): CheckResponse {
  const { properties } = received(request.getNews());
  const strange = Object.keys(properties).filter((name) => !known.includes(name) && !ofEngine.includes(name));
  // Where the classes choose the host, they warn.
  if (settingTexts(textsOf(properties), process.env)("host") === undefined)
    for (const warning of misspelledSettings(`${namespace}:`, strange)) host.note(warning, "warning");
  const reasons = unknownPaths(properties).length === 0 ? problems(properties) : [];
  const failures = reasons.map((reason) => new CheckFailure().setReason(reason));
  return new CheckResponse().setInputs(request.getNews()).setFailuresList(failures);
}

function problems(properties: JsonObject): readonly string[] {
  try {
    assertReadable(readSettings(settingTexts(textsOf(properties), process.env)));
    return [];
  } catch (error) {
    return [(error as Error).message]; // only errors are thrown
  }
}

/** Other settings are an update of the provider: its resources stay. */
export function diffConfig(request: DiffRequest): DiffResponse {
  const [olds, news] = [received(request.getOlds()).properties, received(request.getNews()).properties];
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter((name) => !ofEngine.includes(name));
  const changed = names.filter((name) => !isDeepStrictEqual(olds[name], news[name]));
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
}

export function configure(host: PluginProcess, request: ConfigureRequest): ConfigureResponse {
  const { properties, secrets } = received(request.getArgs());
  // Stack config is encrypted by entry, but arrives as one text that is marked as a whole.
  const marked = secrets.flatMap((path): Path[] => {
    const text = valueAt(properties, path);
    return typeof text === "string" && path.length === 1
      ? Object.keys(readMap(text) ?? {}).map((key) => [...path, key])
      : [path];
  });
  host.configure(textsOf(properties), marked);
  return new ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
}

/** A setting as the text that stack config has for it. */
const textsOf =
  (properties: JsonObject): SettingTexts =>
  (name) => {
    const value = properties[name];
    if (value === undefined || value === null || value === unknown) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
